export * from './driver.ts';
export { type ProcessDatabaseDriverOptions, processDatabaseDriver } from './process/driver.ts';
export type { Extensions } from './process/engine.ts';
export { openToOthers, postgresBinaries } from './process/postgres/binaries.ts';
export { pgDumpFor } from './process/postgres/export-sql.ts';
export { redisDataBytes } from './process/redis/settings.ts';
