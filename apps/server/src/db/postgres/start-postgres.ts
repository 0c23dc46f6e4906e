import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../process/free-port.ts';
import { ADMIN, type Cluster, openCluster } from './cluster.ts';
import { createDatabase } from './create-database.ts';
import { lockFolder } from './folder-lock.ts';
import { type LogFile, logFile } from './log-file.ts';
import { findPostmaster, type Postmaster, startPostmaster, stopPostmaster, untilReady } from './postmaster.ts';

const STEADY_MS = 60_000;
const MAX_BACKOFF_MS = 15_000;

/** The part of a pino logger that is used here. */
export type PostgresLog = Record<'info' | 'warn' | 'error', (fields: object, message: string) => void>;

export type Postgres = {
  /** `postgres://…` of the database `paddock`; it stays the same through restarts. */
  url: string;
  /** Shuts PostgreSQL down and unlocks the folder, in at most 20 s. May be called twice. */
  stop: () => Promise<void>;
  /** Settles after `stop`. Never rejects. */
  exited: Promise<void>;
};

interface Options {
  dataDir: string;
  log: PostgresLog;
  signal: AbortSignal;
  /** Called when one of PostgreSQL's programs was started, which takes a while. */
  begun?: () => void;
  /** Called before a restart: PostgreSQL may have exited because the disk is full. */
  makeRoom?: () => unknown;
  /** 100 are plenty for the servers of one installation. */
  maxConnections?: number;
}

/**
 * Runs PostgreSQL on `<dataDir>/postgres` on a port of 127.0.0.1 with a random password, as root or as an ordinary user. After an unexpected exit
 * PostgreSQL is restarted with growing pauses and without a limit of attempts: agents and the gateway go on without it. PostgreSQL outlives a kill
 * of this process, and the next start adopts it. Rejects if another running process uses the same folder.
 */
export async function startPostgres(options: Options): Promise<Postgres> {
  const { log, signal, maxConnections, begun, makeRoom = () => false } = options;
  const dataDir = resolve(options.dataDir);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const unlock = lockFolder(dataDir);
  const file = logFile(join(dataDir, 'postgres.log'));
  const close = () => {
    file.close();
    unlock();
  };
  try {
    const startedAt = performance.now();
    const cluster = await openCluster(dataDir, signal, begun);
    const bringUp = createBringUp(cluster, { file, maxConnections, begun });
    const first = await bringUp(() => freePort(join(dataDir, 'postgres.port')), signal);
    const admin = `postgres://${ADMIN}:${cluster.password}@127.0.0.1:${first.port}/postgres`;
    const url = await createDatabase(admin, 'paddock').catch(async (error: unknown) => {
      await stopPostmaster(first);
      throw error;
    });
    log.info(
      { pid: first.pid, port: first.port, adopted: first.adopted, ms: Math.round(performance.now() - startedAt) },
      'PostgreSQL is ready',
    );
    const again = (ending: AbortSignal) => {
      makeRoom();
      return bringUp(() => first.port, ending);
    };
    const supervised = supervise(first, again, log);

    const exited = supervised.exited.finally(close);
    const stop = async () => {
      await supervised.stop();
      await exited;
    };
    return { url, stop, exited };
  } catch (error) {
    close();
    throw error;
  }
}

/** Starts the server, or adopts a running one, and waits until it accepts connections. */
function createBringUp(
  cluster: Cluster,
  {
    file: log,
    maxConnections,
    begun,
  }: Pick<Parameters<typeof startPostmaster>[1], 'maxConnections'> & { file: LogFile; begun: (() => void) | undefined },
) {
  return async (port: () => number | Promise<number>, signal: AbortSignal): Promise<Postmaster> => {
    const found = await findPostmaster(cluster.folder, signal);
    const postmaster = found ?? startPostmaster(cluster, { port: await port(), log, maxConnections });
    begun?.();
    try {
      await untilReady(postmaster, { folder: cluster.folder, log }, signal);
      return postmaster;
    } catch (error) {
      await stopPostmaster(postmaster);
      throw error;
    }
  };
}

function supervise(first: Postmaster, again: (signal: AbortSignal) => Promise<Postmaster>, log: PostgresLog) {
  const ending = new AbortController();
  let current: Postmaster | undefined = first;

  const run = async (): Promise<void> => {
    let lastStart = performance.now();
    for (let failures = 0; ; failures++) {
      await current?.ended;
      if (ending.signal.aborted) return;
      if (performance.now() - lastStart > STEADY_MS) failures = 0;
      log.error({ pid: current?.pid, failures }, 'PostgreSQL exited unexpectedly; restarting');
      current = undefined;
      const pauseMs = failures === 0 ? 0 : Math.min(250 * 2 ** failures, MAX_BACKOFF_MS);
      try {
        await delay(pauseMs, undefined, { signal: ending.signal });
        lastStart = performance.now();
        current = await again(ending.signal);
        if (ending.signal.aborted) {
          await stopPostmaster(current);
          return;
        }
        log.info({ pid: current.pid, ms: Math.round(performance.now() - lastStart) }, 'PostgreSQL restarted');
      } catch (error) {
        if (ending.signal.aborted) return;
        log.error({ err: error }, 'starting PostgreSQL failed');
      }
    }
  };

  const stop = async () => {
    ending.abort();
    if (current) await stopPostmaster(current);
  };
  return { exited: run(), stop };
}
