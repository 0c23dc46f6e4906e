import type { DatabaseType } from '../driver.ts';
import type { Engine } from './engine.ts';
import { postgresEngine } from './postgres/engine.ts';
import { redisEngine } from './redis/engine.ts';

export interface EngineOptions {
  unsandboxed: boolean;
  /** Where programs are looked for that Paddock does not bring: folders separated by colons. */
  path: string;
}

/** One engine for each type. */
export function databaseEngines(options: EngineOptions): Record<DatabaseType, Engine> {
  return { postgresql: postgresEngine(options), redis: redisEngine(options) };
}
