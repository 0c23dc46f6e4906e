import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseAddress, DatabaseDriver, DatabaseSpec, DatabaseType } from '../driver.ts';
import { type Client, connect } from './clients.ts';

export interface SuiteOptions {
  type: DatabaseType;
  /** URL of a module whose `createDriver(dataDir)` creates the driver. A child process uses it, too. */
  module: string;
  createDriver(dataDir: string): DatabaseDriver;
}

export const never = new AbortController().signal;

/** A driver on a new folder, with access to its internals. */
export function openBench({ type, module, createDriver }: SuiteOptions) {
  const dataDir = mkdtempSync(join(tmpdir(), 'paddock-databases-'));
  const driver = createDriver(dataDir);
  const children: ChildProcess[] = [];
  const storeOf = (id: string) => join(dataDir, 'databases', id, 'store');

  const spec = (id: string, password = `made-up-${id}`): DatabaseSpec => ({
    id,
    type,
    password,
    admin_password: 'made-up-admin-password',
    limits: { memory_mb: 256, cpus: 1, connections: 20 },
  });

  return {
    type,
    driver,
    dataDir,
    storeOf,
    spec,
    backupFile: (name: string) => join(dataDir, 'database-backups', name),
    start: (id: string): Promise<DatabaseAddress> => driver.start(spec(id), never),
    /** A connection as the user for the duration of `work`. */
    async use<T>(id: string, address: DatabaseAddress, work: (client: Client) => Promise<T>): Promise<T> {
      const client = await connect(type, { port: address.port, password: spec(id).password });
      try {
        return await work(client);
      } finally {
        await client.end();
      }
    },
    /** The first process of a database's server. */
    serverOf(id: string): number | undefined {
      const all = processesSeeing(storeOf(id)).filter(({ name }) => /^(postgres|redis-server|valkey-server)$/.test(name));
      return all.find(({ parent }) => !all.some(({ pid }) => pid === parent))?.pid;
    },
    processesOf: (id: string) => processesSeeing(storeOf(id)),
    /** Runs lines of code with a `driver` and a `never` in another process. Resolves once it has printed a line. */
    async elsewhere(lines: string): Promise<ChildProcess> {
      const code = `
        import { createDriver } from ${JSON.stringify(module)};
        const driver = createDriver(${JSON.stringify(dataDir)});
        const never = new AbortController().signal;
        ${lines}
        setInterval(() => {}, 1000);`;
      const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
      children.push(child);
      await once(child.stdout, 'data');
      return child;
    },
    async close(): Promise<void> {
      for (const child of children) child.kill('SIGKILL');
      for (const { id } of await driver.list()) await driver.remove(id);
      await driver.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export type Bench = ReturnType<typeof openBench>;

/** Processes of all sandboxes that see this very folder as /store. */
function processesSeeing(store: string): { pid: number; parent: number; name: string }[] {
  const own = statSync(store, { throwIfNoEntry: false });
  if (!own) return [];
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return [];
    try {
      const seen = statSync(`/proc/${entry}/root/store`);
      if (seen.ino !== own.ino || seen.dev !== own.dev) return [];
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (state === 'Z') return [];
      return [{ pid: Number(entry), parent: Number(parent), name: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')) }];
    } catch {
      return []; // the process has exited, or sees no such folder
    }
  });
}

/** Writes the entries into a database and returns its content. */
export async function fill(client: Client, entries: number, mark: string): Promise<[string, string][]> {
  for (let n = 0; n < entries; n++) await client.put(`key-${n}`, `${mark}-${n}`);
  return client.read();
}
