import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceRunner } from '@paddock/runtime';
import type { DatabaseSpec } from '../driver.ts';

/** Connections opened at the same moment are admitted one after the other, which takes no longer than this. */
const PATIENCE_MS = 500;
const PAUSE_MS = 20;
const MAX_MS = 30_000;

type Processes = Pick<ServiceRunner, 'processes'>;

/**
 * Gets the platform a connection even if connections that never sign in take every place. PostgreSQL reserves places for the platform, but
 * only learns who connects after it has given a place away. After half a second all connections except the platform's own are terminated,
 * repeatedly for thirty seconds, until `work` is admitted. `work` begins by connecting, and is only retried if that was refused.
 */
export async function admitted<T>(runner: Processes, spec: Pick<DatabaseSpec, 'id' | 'type'>, work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const ms = performance.now() - begun;
      if (spec.type !== 'postgresql' || (error as { code?: string }).code !== TOO_MANY || ms > MAX_MS) throw error;
      if (ms > PATIENCE_MS) endClients(await runner.processes(spec.id));
    }
    await sleep(PAUSE_MS);
  }
}

/** PostgreSQL's error code for too many connections. */
const TOO_MANY = '53300';

/** A client can put names into the title of its process, so a title must match as a whole. */
const KEPT = [
  /^postgres: (checkpointer|background writer|walwriter|startup|io worker \d+|autovacuum (launcher|worker)( \w+)?|logical replication launcher)$/,
  /^postgres: paddock_admin postgres 127\.0\.0\.1\(\d+\) [A-Za-z ]+$/,
];

/** A client that is still signing in may be anybody, whatever name it gave. */
const isKept = (title: string) => KEPT.some((kept) => kept.test(title)) && !title.endsWith(' authentication');

/** Terminates all processes except the first, which is the server itself and has no title. */
function endClients([, ...others]: number[]): void {
  for (const pid of others) {
    const title = readProcessTitle(pid);
    if (title === undefined || isKept(title)) continue;
    try {
      process.kill(pid, 'SIGTERM');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // ESRCH: it has exited by itself
    }
  }
}

/** Undefined once the process has exited. */
function readProcessTitle(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim().slice(0, 500);
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
