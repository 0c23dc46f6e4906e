import type { Sql } from '../../../db/connect.ts';
import { removeInBatches } from '../../../jobs/remove-in-batches.ts';
import { keptMonths } from './months.ts';

/** An instance as reported by its node. Ages in ms, since clocks of machines differ from the database's. */
export interface RunSample {
  instance_id: string;
  deployment_id: string;
  began_ms_ago: number;
  /** 0 while it runs; null when it has ended at an unknown time: then the time of its last sample counts. */
  ended_ms_ago: number | null;
  cpu_milli: number;
}
export type SpanStore = ReturnType<typeof runSpanStore>;

/** Instances are sampled within seconds of their start. An older one was started before metering existed, or a clock jumped. */
const oldest = '1 day';

/** All SQL that writes the running times of instances. Storage is written by a trigger on the samples of databases. */
export const runSpanStore = (sql: Sql) => ({
  /** Each instance has one row, which only grows, so that repeats and concurrent servers count it once. */
  async recordRuns(runs: readonly RunSample[]): Promise<void> {
    if (runs.length === 0) return;
    await sql`
      with given as (
        select
          instance_id, deployment_id, cpu_milli, now() - least(began_ms_ago * interval '1 ms', ${oldest}::interval) as began_at,
          now() - ended_ms_ago * interval '1 ms' as seen_at
        from jsonb_to_recordset(${sql.json(runs as never)}) as given (
          instance_id text, deployment_id text, cpu_milli int, began_ms_ago float8, ended_ms_ago float8
        )
      )
      insert into running_spans as r (instance_id, team_id, project_id, deployment_id, cpu_milli, began_at, seen_at)
      select g.instance_id, d.team_id, d.project_id, d.id, g.cpu_milli, g.began_at, greatest(g.began_at, g.seen_at)
      from given g
      join deployments d on d.id = g.deployment_id
      on conflict (instance_id) do update
      set seen_at = greatest(r.seen_at, excluded.seen_at)`;
  },

  /** Spans are kept for two months after the month in which they ended was closed. */
  async sweep(): Promise<void> {
    for (const table of ['running_spans', 'stored_spans'])
      await removeInBatches(
        (rows) => sql`
          delete from ${sql(table)}
          where ctid = any(array(
            select s.ctid
            from ${sql(table)} s
            where s.seen_at < (
              select max(month) - ${keptMonths} * interval '1 month'
              from metered_months
            )
            limit ${rows}
          ))`,
      );
  },
});
