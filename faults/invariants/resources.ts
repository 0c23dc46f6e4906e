import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sql } from '../../apps/server/src/db/connect.ts';
import type { Platform } from '../../apps/server/test/platform.ts';

/** Resources that a platform uses on its machine (I11). */
export interface Resources {
  server_descriptors: number;
  gateway_descriptors: number;
  /** Running and zombie children of the server, without the gateway and agents, which are not its children. */
  children: number;
  zombies: number;
  connections: number;
  /** Uploads, build steps and the like that are in progress or left over. */
  temporary: string[];
}

export async function resourcesOf({ paddock, sql }: { paddock: Platform; sql: Sql }): Promise<Resources> {
  const [row] = await sql<
    { connections: number }[]
  >`select count(*)::int as connections from pg_stat_activity where datname = current_database() and application_name <> 'faults'`;
  const [server, gateway] = [paddock.pid(), await paddock.gatewayPid()];
  const children = childrenOf(server);
  return {
    server_descriptors: descriptors(server),
    gateway_descriptors: descriptors(gateway),
    children: children.length,
    zombies: children.filter((pid) => stateOf(pid) === 'Z').length,
    connections: row!.connections,
    temporary: temporary(paddock.dataDir),
  };
}

/**
 * Resources that have grown. Descriptors and connections vary with requests, so a handful is no leak; a leak in a fault that repeats its
 * work exceeds the allowance.
 */
export function grown(before: Resources, now: Resources): string[] {
  const few = { server_descriptors: 40, gateway_descriptors: 40, children: 3, zombies: 0, connections: 20 } as const;
  const more = Object.entries(few)
    .filter(([name, allowed]) => now[name as keyof typeof few] > before[name as keyof typeof few] + allowed)
    .map(([name]) => `${name}: ${before[name as keyof typeof few]} before, ${now[name as keyof typeof few]} now`);
  return [...more, ...now.temporary.map((path) => `left behind: ${path}`)];
}

function temporary(dataDir: string): string[] {
  const inFolder = (folder: string, wanted: RegExp) =>
    list(join(dataDir, folder))
      .filter((name) => wanted.test(name))
      .map((name) => join(folder, name));
  return [...inFolder('runtime/steps', /./), ...inFolder('', /\.new$/)];
}

export const childrenOf = (pid: number) =>
  list(`/proc/${pid}/task`)
    .flatMap((thread) => read(`/proc/${pid}/task/${thread}/children`).split(' '))
    .filter(Boolean)
    .map(Number);
const descriptors = (pid: number) => list(`/proc/${pid}/fd`).length;
const stateOf = (pid: number) => read(`/proc/${pid}/stat`).split(') ').at(-1)?.[0];

/** The entries of a folder; none if it is missing, since processes exit between two reads. */
function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}
/** The content of a file; empty if it is missing, since a process can exit between opening and reading its file in /proc. */
export function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}
