import type { Database } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import type { DemoWorld } from '../../../demo/demo-world.ts';

export function findDatabase(world: DemoWorld, id: string): Database {
  const database = world.databases.find((each) => each.id === id);
  if (!database) throw new ApiError('database_not_found');
  return database;
}

/** Throws for BYO databases. */
export function findManaged(world: DemoWorld, id: string): Database {
  const database = findDatabase(world, id);
  if (database.mode !== 'managed') throw new ApiError('database_not_managed');
  return database;
}
