import type { DatabaseType } from './databases.ts';

export type AddressPart = 'url' | 'host' | 'port' | 'user' | 'password' | 'name';

/** Suffixes of names, by the part of an address that they mean. */
const ends: Record<string, AddressPart> = {
  URL: 'url',
  URI: 'url',
  DSN: 'url',
  CONNECTION_STRING: 'url',
  // Addresses past a pool of connections, or for one client: Paddock's own is all of them.
  URL_UNPOOLED: 'url',
  URL_NON_POOLING: 'url',
  URL_DIRECT: 'url',
  PRISMA_URL: 'url',
  HOST: 'host',
  HOSTNAME: 'host',
  SERVER: 'host',
  ADDRESS: 'host',
  IP: 'host',
  PORT: 'port',
  USER: 'user',
  USERNAME: 'user',
  PASSWORD: 'password',
  PASS: 'password',
  PWD: 'password',
  NAME: 'name',
  DATABASE: 'name',
  DBNAME: 'name',
  DB: 'name',
};
const patterns: Record<DatabaseType, RegExp> = {
  postgresql:
    /^(?:(?:APP|BACKEND|DJANGO|ALEMBIC|SQL)_)?(?:DIRECT_DATABASE|DIRECT|DB|DATABASE|POSTGRES|POSTGRESQL|PG|TYPEORM|SQLALCHEMY_DATABASE)_?([A-Z_]{2,20})$/,
  redis: /^REDIS_?([A-Z_]{2,20})$/,
};
/** Values in an example file or a default that show another kind of database. */
const ofOthers = /mysql|maria|mongo|sqlite|mssql|sqlserver|oracle|^(?:3306|27017|1433|1521)$|\.(?:db|sqlite3?)$/i;

/** The part of a database's address that a name means; undefined for other names. */
export const addressPart = (name: string, type: DatabaseType): AddressPart | undefined => ends[patterns[type].exec(name)?.[1] ?? ''];

/** Addresses of each kind of database. The login of an example is taken out, so that only the scheme may be left. */
const schemes: Record<DatabaseType, RegExp> = { postgresql: /^postgres(?:ql)?(?:\+[a-z0-9]{2,20})?:\/\//, redis: /^rediss?:\/\// };

/**
 * The variables of an archive that its managed or external database fills, such as `DB_HOST`, `PGUSER` or `REDIS_PORT`, since most agents
 * use names of their own; also those whose example is an address of such a database, such as `CELERY_BROKER_URL`. None if the requested variables indicate another kind of database. `DATABASE_URL` and `REDIS_URL` are always set.
 */
export function addressVariables<T extends { name: string; example?: string | undefined }>(
  asked: readonly T[],
  type: DatabaseType,
): { variable: T; part: AddressPart }[] {
  const found = asked.flatMap((variable) => {
    const part = addressPart(variable.name, type) ?? (schemes[type].test(variable.example ?? '') ? 'url' : undefined);
    return part === undefined || /^(?:DATABASE|REDIS)_URL$/.test(variable.name) ? [] : [{ variable, part }];
  });
  return found.some(({ variable }) => ofOthers.test(variable.example ?? '')) ? [] : found;
}
