import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openCluster } from '../apps/server/src/db/postgres/cluster.ts';
import { createDatabase } from '../apps/server/src/db/postgres/create-database.ts';
import { logFile } from '../apps/server/src/db/postgres/log-file.ts';
import { findPostmaster, type Postmaster, stopPostmaster, untilReady } from '../apps/server/src/db/postgres/postmaster.ts';
import { settings } from '../apps/server/src/db/postgres/settings.ts';
import { freePort } from '../apps/server/src/process/free-port.ts';

const startMs = 60_000;

/**
 * A PostgreSQL for one case, started, stopped and killed on command. It flushes to disk, so that acknowledged writes must survive. `more`
 * overrides its settings, e.g. `{ max_connections: 12 }`.
 */
export async function ownPostgres(dataDir: string, more: Record<string, string | number> = {}) {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const log = logFile(join(dataDir, 'postgres.log'));
  const cluster = await openCluster(dataDir, AbortSignal.timeout(startMs));
  const port = await freePort(join(dataDir, 'postgres.port'));
  let running: Postmaster | undefined;

  async function start() {
    const signal = AbortSignal.timeout(startMs);
    await findPostmaster(cluster.folder, signal); // waits for what a kill left behind
    const descriptor = log.open();
    const own = Object.entries(more).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const args = (folder: string) => ['-D', folder, ...settings(port), ...own];
    const child = cluster.run('postgres', { folder: cluster.folder, args, stdio: ['ignore', descriptor, descriptor] });
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    running = { pid: child.pid ?? -1, port, adopted: false, ended };
    await untilReady(running, { folder: cluster.folder, log }, signal);
  }
  await start();
  const url = await createDatabase(`postgres://paddock:${cluster.password}@127.0.0.1:${port}/postgres`, 'paddock');

  return {
    url,
    port,
    folder: cluster.folder,
    log: () => log.tail(20),
    start,
    /** Stops it as an administrator would: open transactions are rolled back. */
    async stop() {
      if (running) await stopPostmaster(running);
      running = undefined;
    },
    /** Kills it as a power failure would: nothing more is written. */
    async kill() {
      if (running) process.kill(running.pid, 'SIGKILL');
      await running?.ended;
      running = undefined;
    },
    /** For the end of a case. */
    async end() {
      if (running) await stopPostmaster(running);
      log.close();
    },
  };
}
export type OwnPostgres = Awaited<ReturnType<typeof ownPostgres>>;
