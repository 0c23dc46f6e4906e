import type { Sql } from '../db/connect.ts';

export interface JobState {
  name: string;
  has_failed: boolean;
  /** Seconds since 1970. */
  last_run_s: number;
}

/** The periodic jobs that have run, the last one first. */
export const jobStates = (sql: Sql, limit: number) => sql<JobState[]>`
  select name, last_error is not null as has_failed, extract(epoch from last_run_at)::float8 as last_run_s
  from periodic_jobs
  where last_run_at is not null
  order by last_run_at desc
  limit ${limit}`;
