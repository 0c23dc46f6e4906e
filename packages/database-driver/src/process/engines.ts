import type { DatabaseType } from '../driver.ts';
import type { Engine, EngineOptions } from './engine.ts';
import { postgresEngine } from './postgres/engine.ts';
import { redisEngine } from './redis/engine.ts';

/** The engine of each type. */
export function databaseEngines(options: EngineOptions): Record<DatabaseType, Engine> {
  return { postgresql: postgresEngine(options), redis: redisEngine(options) };
}
