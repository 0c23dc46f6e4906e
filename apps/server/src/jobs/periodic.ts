import { setTimeout as sleep } from 'node:timers/promises';
import { isDiskFull, type Sql } from '../db/connect.ts';
import type { Reserve } from '../disk/reserve.ts';
import type { Log } from '../log.ts';
import { createIsolatedLoop } from './isolated-loop.ts';

export interface PeriodicJob {
  /** `noun.verb`, e.g. `session.sweep`. */
  name: string;
  everySeconds: number;
  /** The node, or the store, that the job belongs to: the job then runs once per period for each of them. */
  of?: string;
  run: (signal: AbortSignal) => Promise<unknown>;
}

/** Removes the rows of jobs of nodes and stores that no longer exist. */
export const removeOldJobs = (sql: Sql) =>
  sql`
    delete from periodic_jobs
    where name like '%@%'
      and next_run_at < now() - interval '30 days'`;

interface Deps {
  sql: Sql;
  jobs: PeriodicJob[];
  reserve: Reserve;
  log: Log;
}

/**
 * Runs each job once per period over all replicas, or over those that share the job's node or store: the server that moves `next_run_at` runs the
 * job. Jobs may run twice and must be idempotent. A job whose turn cannot be recorded because the disk is full runs nevertheless: the job may be
 * what frees space.
 */
export function startPeriodicJobs({ sql, jobs, reserve, log }: Deps) {
  const closing = new AbortController();
  const each = createIsolatedLoop(log, 'running a periodic job', { reserve });
  const unnoted = new Map<string, number>();

  const turn = () =>
    each(
      jobs,
      ({ name }) => name,
      (job) => lookAt(job),
    );

  async function lookAt({ everySeconds, of, run, ...job }: PeriodicJob) {
    if (closing.signal.aborted) return;
    const name = of === undefined ? job.name : `${job.name}@${of}`;
    if (!(await take(name, everySeconds))) return;
    const failure = await run(closing.signal).then(
      () => null,
      (error: unknown) => error,
    );
    if (failure) log.error({ err: failure, job: name }, 'periodic job failed; retrying at its next turn');
    await sql`
      update periodic_jobs
      set last_run_at = now(), last_error = ${failure ? String(failure).slice(0, 500) : null}
      where name = ${name}`;
  }

  async function take(name: string, everySeconds: number): Promise<boolean> {
    try {
      const [mine] = await sql`
        insert into periodic_jobs (name, next_run_at)
        values (${name}, now() + ${`${everySeconds} seconds`}::interval)
        on conflict (name) do update
        set next_run_at = excluded.next_run_at
        where periodic_jobs.next_run_at <= now()
        returning name`;
      return mine !== undefined;
    } catch (error) {
      const now = performance.now();
      if (!isDiskFull(error) || now < (unnoted.get(name) ?? 0)) throw error;
      unnoted.set(name, now + everySeconds * 1000);
      return true;
    }
  }

  async function loop() {
    while (!closing.signal.aborted) {
      await turn().catch((error: unknown) => log.warn({ err: error }, 'reading periodic jobs failed'));
      await sleep(1000, undefined, { signal: closing.signal }).catch(() => 'stopping');
    }
  }
  const looping = loop();
  return {
    async close() {
      closing.abort();
      await looping;
    },
  };
}
