import type { Client } from '@paddock/client';
import type { Database } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import type { contract } from '@paddock/contract/routes';
import { answer, paginate } from '../../../demo/answering.ts';
import type { DemoWorld } from '../../../demo/demo-world.ts';
import { checkDemoAddress, parseAddress } from './addresses.ts';
import { demoBackups } from './backups.ts';
import { findDatabase, findManaged } from './find-database.ts';
import { sampleMetrics } from './metrics.ts';

const startMs = 3500;

type Calls = Client<typeof contract>;

/** Databases of the demo: every action of real ones, in memory. */
export function demoDatabases(world: DemoWorld): Calls['databases'] {
  const find = (id: string) => findDatabase(world, id);
  const managed = (id: string) => findManaged(world, id);
  const change = (database: Database, to: Partial<Database>) => {
    Object.assign(database, to);
    world.changed();
    return database;
  };
  return {
    ...demoBackups(world),
    list: (input = {}, options) =>
      answer(() => {
        const { project_id, environment } = input;
        const found = world.databases
          .filter((each) => project_id === undefined || each.project_id === project_id)
          .filter((each) => environment === undefined || each.environment === environment)
          .toSorted((a, b) => b.created_at.localeCompare(a.created_at));
        const { rows, next_cursor } = paginate(found, input);
        return { databases: rows, next_cursor, total: found.length };
      }, options),
    get: ({ id }, options) => answer(() => find(id), options),
    create: ({ project_id, environment = 'production', type, url }, options) =>
      answer(() => {
        const project = world.projects.find((each) => each.id === project_id);
        if (!project) throw new ApiError('project_not_found');
        checkDemoAddress(type, url);
        const { databases } = world;
        if (
          databases.some(
            (each) => each.mode === 'byo' && each.project_id === project_id && each.environment === environment && each.type === type,
          )
        )
          throw new ApiError('database_taken');
        return world.bring({ project, environment, type, url });
      }, options),
    update: ({ id, url }, options) =>
      answer(() => {
        const database = find(id);
        if (database.mode !== 'byo') throw new ApiError('database_not_byo');
        checkDemoAddress(database.type, url);
        world.addresses.set(id, url);
        return change(database, { ...parseAddress(database.type, url), status: 'available', status_message: null });
      }, options),
    delete: ({ id }, options) =>
      answer(() => {
        world.forgetDatabases(({ id: each }) => each === find(id).id);
        world.changed();
        return null;
      }, options),
    check: ({ type, url }, options) => answer(() => checkDemoAddress(type, url), options),
    connectionString: ({ id }, options) =>
      answer(() => {
        const { type } = find(id);
        const connection_string = world.addresses.get(id) ?? '';
        return type === 'redis'
          ? { connection_string, env_var: 'REDIS_URL' as const, command: `redis-cli -u '${connection_string}'` }
          : { connection_string, env_var: 'DATABASE_URL' as const, command: `psql '${connection_string}'` };
      }, options),
    rotatePassword: ({ id }, options) =>
      answer(() => {
        const database = managed(id);
        if (database.status !== 'available') throw new ApiError('database_not_ready');
        world.addresses.set(id, world.freshAddress(database));
        return change(database, {});
      }, options),
    start: ({ id }, options) =>
      answer(() => {
        const database = managed(id);
        if (database.status !== 'stopped' && database.status !== 'failed') return database;
        world.becomeAvailable(database, startMs);
        return change(database, { status: 'provisioning', status_message: null });
      }, options),
    stop: ({ id }, options) => answer(() => change(managed(id), { status: 'stopped', status_message: null }), options),
    metrics: ({ id, time_range = '24h' }, options) => answer(() => sampleMetrics(managed(id), time_range), options),
  };
}
