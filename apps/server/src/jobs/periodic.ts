import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../db/connect.ts';
import type { Log } from '../log.ts';

export interface PeriodicJob {
  /** `noun.verb`, e.g. `session.sweep`. */
  name: string;
  every_s: number;
  /** Something that each node, or each store, has for itself: the job then runs once per period for each of them. */
  of?: string;
  run: (signal: AbortSignal) => Promise<unknown>;
}

/** Runs each job once per period over all replicas (or over those that share what it is `of`): whoever moves `next_run_at` runs it. Jobs may run twice and must not mind. */
export function startPeriodicJobs(sql: Sql, jobs: PeriodicJob[], log: Log) {
  const closing = new AbortController();

  async function turn() {
    for (const { every_s, of, run, ...job } of jobs) {
      if (closing.signal.aborted) return;
      const name = of === undefined ? job.name : `${job.name}@${of}`;
      const [mine] = await sql`
        insert into periodic_jobs (name, next_run_at) values (${name}, now() + ${`${every_s} seconds`}::interval)
        on conflict (name) do update set next_run_at = excluded.next_run_at where periodic_jobs.next_run_at <= now() returning name`;
      if (!mine) continue;
      const failure = await run(closing.signal).then(
        () => null,
        (error: unknown) => error,
      );
      if (failure) log.error({ err: failure, job: name }, 'a periodic job failed; it runs again at its next turn');
      await sql`update periodic_jobs set last_run_at = now(), last_error = ${failure ? String(failure).slice(0, 500) : null} where name = ${name}`;
    }
  }

  async function loop() {
    while (!closing.signal.aborted) {
      await turn().catch((error: unknown) => log.warn({ err: error }, 'periodic jobs could not be looked at'));
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
