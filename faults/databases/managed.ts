import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Database, DatabaseBackup, DatabaseType } from '@paddock/contract';
import { zip } from '../../apps/server/test/archives.ts';
import { reaches, until } from '../../apps/server/test/platform.ts';
import type { Api } from '../../apps/server/test/server.ts';
import { connect } from '../../packages/database/src/connect.ts';
import { openRedis, type Reply } from './redis-wire.ts';

export interface Managed {
  project_id: string;
  deployment_id: string;
  host: string;
  postgresql: string;
  redis: string;
}

type NewManaged = { name: string; files: Record<string, string>; seconds?: number };

/** Deploys an agent with managed databases in a new project and waits until it is active. The result has the ids of the databases. */
export async function deployManaged(api: Api, { name, files, seconds = 300 }: NewManaged): Promise<Managed> {
  const { id: project_id } = await api.projects.create({ name });
  const made = await api.deployments.create({ project_id, database_mode: 'managed', file: zip(files), file_name: 'agent.zip' });
  await reaches(api, made.id, ['active'], seconds);
  const ids = await idsOf(api, project_id);
  return { project_id, deployment_id: made.id, host: `${name}.localhost`, ...ids };
}

/** The ids of the two databases attached to the agents of a project's production. */
export async function idsOf(api: Api, project_id: string): Promise<Record<DatabaseType, string>> {
  const { databases } = await api.databases.list({ project_id, environment: 'production' });
  const idOf = (type: DatabaseType) => {
    const found = databases.filter((one) => one.type === type && one.is_attached);
    if (found.length !== 1) throw new Error(`${found.length} databases of type ${type} instead of one`);
    return found[0]!.id;
  };
  return { postgresql: idOf('postgresql'), redis: idOf('redis') };
}

export const urlOf = async (api: Api, id: string) => (await api.databases.connectionString({ id })).connection_string;

type Settling = { wanted?: Database['status']; seconds?: number };

/** Waits until the database has the wanted status. */
export async function settled(api: Api, id: string, { wanted = 'available', seconds = 300 }: Settling = {}): Promise<Database> {
  let last = await api.databases.get({ id });
  await until(
    `${id} is ${wanted}`,
    async () => {
      last = await api.databases.get({ id });
      return last.status === wanted;
    },
    seconds,
  ).catch((error: Error) => {
    throw new Error(`${error.message}; it is ${last.status}: ${last.status_message}`);
  });
  return last;
}

/** Makes a backup and waits until it is available or failed. */
export async function backedUp(api: Api, id: string, seconds = 300): Promise<DatabaseBackup> {
  const { id: backup_id } = await api.databases.createBackup({ id });
  let found: DatabaseBackup | undefined;
  await until(
    `the backup ${backup_id} has ended`,
    async () => {
      found = (await api.databases.backups({ id })).backups.find((one) => one.id === backup_id);
      return found?.status === 'available' || found?.status === 'failed';
    },
    seconds,
  );
  return found!;
}

/** Runs one query on a PostgreSQL by its connection string, as a person on the machine would. */
export async function query<T extends object>(url: string, text: string): Promise<T[]> {
  const sql = connect(url, { max: 1, name: 'faults' });
  try {
    return [...(await sql.unsafe<T[]>(text))];
  } finally {
    await sql.end();
  }
}

export async function redisCall(url: string, ...words: (string | number)[]): Promise<Reply> {
  const redis = await openRedis(url);
  try {
    return await redis.call(...words);
  } finally {
    redis.close();
  }
}

/** The processes of any user that listen on a TCP port of the machine's loopback. */
export function listenersOn(port: number): number[] {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const inodes = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local === `0100007F:${hex}` && state === '0A')
    .map((fields) => `socket:[${fields[9]}]`);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && descriptorsOf(name).some((target) => inodes.includes(target)))
    .map(Number);
}

function descriptorsOf(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
      } catch {
        return []; // closed meanwhile
      }
    });
  } catch {
    return []; // the process has just exited
  }
}

/** The listening server of a managed database. PostgreSQL's children have no listening socket, so there is one. */
export function serverOf(database: Database): number {
  const [pid, ...others] = listenersOn(database.port ?? 0);
  if (pid === undefined || others.length) throw new Error(`processes that listen for ${database.id}: ${[pid, ...others].join(', ')}`);
  return pid;
}
