import { ApiError, type DatabasePoint } from '@paddock/contract';
import type { Sql } from '../../../db/connect.ts';
import { removeInBatches } from '../../../jobs/remove-in-batches.ts';

export type SamplesStore = ReturnType<typeof samplesStore>;

/** Activity within a minute; null where unknown, or where the type has no such figure. */
export interface Sample {
  size_bytes: number;
  memory_bytes: number;
  connections: number;
  transactions: number | null;
  cache_hits: number | null;
  cache_reads: number | null;
  keys: number | null;
  evictions: number | null;
}

/** All SQL of measurements. */
export const samplesStore = (sql: Sql) => ({
  /** Adds a sample for the current minute of the platform database's clock. A second sample in a minute adds to its counts. */
  add: (database_id: string, sample: Sample) => sql`
    insert into database_samples as s (
      database_id, at, size_bytes, memory_bytes, connections, transactions, cache_hits, cache_reads, keys, evictions
    )
    select
      id, date_trunc('minute', now()), ${sample.size_bytes}, ${sample.memory_bytes}, ${sample.connections},
      ${sample.transactions}, ${sample.cache_hits}, ${sample.cache_reads}, ${sample.keys}, ${sample.evictions}
    from databases
    where id = ${database_id}
    on conflict (database_id, at) do update
    set
      size_bytes = excluded.size_bytes,
      memory_bytes = excluded.memory_bytes,
      connections = excluded.connections,
      keys = excluded.keys,
      transactions = coalesce(s.transactions + excluded.transactions, excluded.transactions, s.transactions),
      cache_hits = coalesce(s.cache_hits + excluded.cache_hits, excluded.cache_hits, s.cache_hits),
      cache_reads = coalesce(s.cache_reads + excluded.cache_reads, excluded.cache_reads, s.cache_reads),
      evictions = coalesce(s.evictions + excluded.evictions, excluded.evictions, s.evictions)`,

  seen: (database_id: string, size_bytes: number) => sql`
    update databases
    set size_bytes = ${size_bytes}, checked_at = now()
    where id = ${database_id}
      and mode = 'managed'`,

  /**
   * The newest `points` steps, the one that contains `now` last. Steps begin at whole multiples of their length since 1970 (UTC), gaps are nulls.
   * Throws database_not_found, and database_not_managed.
   */
  async series(
    team_id: string,
    database_id: string,
    { step_s, points, now }: { step_s: number; points: number; now: Date },
  ): Promise<DatabasePoint[]> {
    const [database] = await sql<{ mode: string }[]>`
      select b.mode
      from databases b
      join projects p on p.id = b.project_id
      where b.team_id = ${team_id}
        and b.id = ${database_id}
        and p.deleting_at is null`;
    if (!database) throw new ApiError('database_not_found');
    if (database.mode !== 'managed') throw new ApiError('database_not_managed');
    const lastMs = Math.floor(now.getTime() / 1000 / step_s) * step_s * 1000;
    const first = new Date(lastMs - (points - 1) * step_s * 1000).toISOString();
    const last = new Date(lastMs).toISOString();
    const step = `${step_s} seconds`;
    return sql<DatabasePoint[]>`
      with measured as (
        select
          date_bin(${step}::interval, at, to_timestamp(0)) as step,
          ((array_agg(size_bytes order by at desc) filter (where size_bytes is not null))[1])::float8 as size_bytes,
          avg(memory_bytes)::float8 as memory_bytes,
          avg(connections)::float8 as connections,
          avg(keys)::float8 as keys,
          sum(transactions)::float8 as transactions, sum(evictions)::float8 as evictions,
          (sum(cache_hits) / nullif(sum(cache_hits) + sum(cache_reads), 0))::float8 as cache_hit_ratio
        from database_samples
        where database_id = ${database_id}
          and at >= ${first}
          and at < ${last}::timestamptz + ${step}::interval
        group by 1
      )
      select steps.at, size_bytes, memory_bytes, connections, transactions, cache_hit_ratio, keys, evictions
      from generate_series(${first}::timestamptz, ${last}::timestamptz, ${step}::interval) as steps (at)
      left join measured on measured.step = steps.at
      order by steps.at`;
  },

  /** Deletes by database, so that the index is used. */
  sweep: () =>
    removeInBatches(
      (rows) => sql`
        delete from database_samples
        where ctid = any(array(
          select s.ctid
          from databases b
          join database_samples s on s.database_id = b.id
          where s.at < now() - interval '30 days' - interval '1 hour'
          limit ${rows}
        ))`,
    ),
});
