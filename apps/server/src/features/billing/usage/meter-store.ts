import type { Sql, Tx } from '../../../db/connect.ts';
import { keptMonths, splitDays } from './months.ts';

/** The first and last day of a turn, as `2026-11-01`. */
export interface Days {
  from: string;
  /** The last day, included. */
  to: string;
}
export type MeterStore = ReturnType<typeof meterStore>;

/** All SQL that computes days from their sources. Idempotent; `at` is the current time, UTC. */
export const meterStore = (sql: Sql) => ({
  /** The first day that is not closed; if nothing was ever metered, in the past month at the earliest. */
  async firstOpen(at: Date): Promise<string> {
    const [row] = await sql<[{ day: string }]>`
      select coalesce(
        (
          select max(month) + interval '1 month'
          from metered_months
        ),
        (
          select date_trunc('month', min(day))
          from metered_days
        ),
        date_trunc('month', ${at.toISOString()}::timestamptz at time zone 'UTC')
      )::date::text as day`;
    return row.day;
  },

  /** Recomputes these days, except closed ones. Days without a source lose their amounts. */
  async meter(days: Days): Promise<void> {
    for (const few of splitDays(days, daysAtOnce)) await sql.begin((tx) => rebuildDays(tx, few));
  },

  metered: (at: Date) => sql`
    update metering
    set metered_at = greatest(metered_at, ${at.toISOString()})`,

  /** Whether the visits of a month are all rolled up. */
  async isIn(monthEnd: string): Promise<boolean> {
    const [row] = await sql<[{ is_in: boolean }]>`
      select not exists (
        select 1
        from traffic_minutes, rolled_up r
        where r.name = 'days'
          and minute >= r.until
          and minute < ${monthEnd}::date::timestamp at time zone 'UTC'
          and r.until < ${monthEnd}::date::timestamp at time zone 'UTC'
      ) as is_in`;
    return row.is_in;
  },

  /** Recomputes the month a last time and closes it, in one transaction. Closing a closed month changes nothing. */
  close: (month: string, days: Days, at: Date): Promise<unknown> =>
    sql.begin(async (tx) => {
      await tx`
        select 1
        from metering
        for update`;
      for (const few of splitDays(days, daysAtOnce)) await rebuildDays(tx, few);
      await tx`
        insert into metered_months (month, closed_at)
        values (${month}, date_trunc('milliseconds', ${at.toISOString()}::timestamptz))
        on conflict do nothing`;
    }),

  /** The closed months whose sources are all kept, the newest first. */
  async closed(): Promise<string[]> {
    const rows = await sql<{ month: string }[]>`
      select month::text
      from metered_months
      order by metered_months.month desc
      limit ${keptMonths + 1}`;
    return rows.map(({ month }) => month);
  },

  /** Counts late usage of a closed month in the month `into`. */
  addCorrections: (late: CorrectionInput): Promise<unknown> => sql.begin((tx) => addCorrections(tx, late)),
});

/** Days computed per statement: a month of a large installation would exceed the statement timeout. */
const daysAtOnce = 2;

interface CorrectionInput {
  of: string;
  into: string;
  days: Days;
}

async function addCorrections(tx: Tx, { of, into, days }: CorrectionInput): Promise<void> {
  await tx`
    create temporary table known (team_id text, project_id text, kind text, amount bigint)
    on commit drop`;
  for (const few of splitDays(days, daysAtOnce))
    await tx`
      insert into known
      select team_id, project_id, kind, amount
      from (${amountsSql(tx, few)}) a`;
  await tx`
    with counted as (
      select team_id, project_id, kind, sum(amount) as amount
      from (
        select team_id, project_id, kind, amount
        from metered_days
        where day between ${days.from} and ${days.to}
        union all
        select team_id, project_id, kind, amount
        from metered_corrections
        where of_month = ${of}
          and month <> ${into}
      ) c
      group by team_id, project_id, kind
    )
    insert into metered_corrections as m (team_id, project_id, month, of_month, kind, amount)
    select k.team_id, k.project_id, ${into}, ${of}, k.kind, k.amount - coalesce(c.amount, 0)
    from (
      select team_id, project_id, kind, sum(amount) as amount
      from known
      group by team_id, project_id, kind
    ) k
    left join counted c using (team_id, project_id, kind)
    where k.amount > coalesce(c.amount, 0)
    on conflict (team_id, project_id, month, of_month, kind) do update
    set amount = excluded.amount
    where m.amount is distinct from excluded.amount`;
}

async function rebuildDays(tx: Tx, days: Days): Promise<void> {
  await tx`
    with known as (
      select a.*
      from (${amountsSql(tx, days)}) a
      where not exists (
        select 1
        from metered_months m
        where m.month = date_trunc('month', a.day)
      )
    ),
    gone as (
      delete from metered_days d
      where d.day between ${days.from} and ${days.to}
        and not exists (
          select 1
          from known k
          where (k.team_id, k.project_id, k.day, k.kind) = (d.team_id, d.project_id, d.day, d.kind)
        )
        and not exists (
          select 1
          from metered_months m
          where m.month = date_trunc('month', d.day)
        )
    ),
    named as (
      insert into metered_projects as n (team_id, project_id, name)
      select p.team_id, p.id, p.name
      from projects p
      where p.id in (
        select project_id
        from known
      )
      on conflict (team_id, project_id) do update
      set name = excluded.name
      where n.name <> excluded.name
    )
    insert into metered_days as d (team_id, project_id, day, kind, amount)
    select k.team_id, k.project_id, k.day, k.kind, k.amount
    from known k
    left join metered_days was using (team_id, project_id, day, kind)
    where was.amount is distinct from k.amount
    order by 1, 2, 3, 4
    on conflict (team_id, project_id, day, kind) do update
    set amount = excluded.amount
    where d.amount <> excluded.amount`;
}

/** team_id, project_id, day, kind and amount of every day, computed only from the sources. */
const amountsSql = (sql: Sql | Tx, { from, to }: Days) => sql`
  with days as (
    select d::date as day, d at time zone 'UTC' as begins, (d + interval '1 day') at time zone 'UTC' as ends
    from generate_series(${from}::timestamp, ${to}::timestamp, interval '1 day') d
  ),
  span as (
    select min(begins) as begins, max(ends) as ends
    from days
  ),
  runs as (
    select r.team_id, r.project_id, d.day, sum(s.seconds) as seconds, sum(s.seconds * r.cpu_milli) as core_ms
    from running_spans r
    join days d on r.began_at < d.ends and r.seen_at > d.begins
    cross join lateral (
      select extract(epoch from least(r.seen_at, d.ends) - greatest(r.began_at, d.begins)) as seconds
    ) s
    group by 1, 2, 3
  ),
  stored as (
    select
      s.team_id, s.project_id, d.day,
      s.size_bytes * extract(epoch from least(s.seen_at, d.ends) - greatest(s.began_at, d.begins)) / 3600 as byte_hours
    from stored_spans s
    join days d on s.began_at < d.ends and s.seen_at > d.begins
  ),
  until as (
    select
      max(until) filter (where name = 'days') as days, max(until) filter (where name = 'hours') as hours,
      max(until) filter (where name = 'half_hours') as half_hours
    from rolled_up
  ),
  visits as (${trafficSql(sql)}),
  visited as (
    select deployment_id, (at at time zone 'UTC')::date as day, sum(bytes) as bytes
    from visits
    group by 1, 2
  ),
  owners as (
    select v.deployment_id, m.team_id, m.project_id
    from (
      select distinct deployment_id
      from visited
    ) v
    cross join lateral (
      select team_id, project_id
      from moves
      where deployment_id = v.deployment_id
      limit 1
    ) m
  )
  select team_id, project_id, day, 'compute_s' as kind, round(seconds)::bigint as amount
  from runs
  union all
  select team_id, project_id, day, 'core_ms', round(core_ms)::bigint
  from runs
  union all
  select team_id, project_id, day, 'storage_byte_hours', round(sum(byte_hours))::bigint
  from stored
  group by 1, 2, 3
  union all
  select o.team_id, o.project_id, v.day, 'bandwidth_bytes', sum(v.bytes)::bigint
  from visited v
  join owners o using (deployment_id)
  group by 1, 2, 3`;

/** deployment_id, at and bytes of `span`: from the rolled-up tables as far as `until` of each, then from minutes. */
const trafficSql = (sql: Sql | Tx) => sql`
  select deployment_id, at, bytes_in + bytes_out as bytes
  from traffic_days, span, until
  where at >= span.begins
    and at < least(span.ends, until.days)
  union all
  select deployment_id, at, bytes_in + bytes_out
  from traffic_hours, span, until
  where at >= greatest(span.begins, until.days)
    and at < least(span.ends, until.hours)
  union all
  select deployment_id, at, bytes_in + bytes_out
  from traffic_half_hours, span, until
  where at >= greatest(span.begins, until.hours)
    and at < least(span.ends, until.half_hours)
  union all
  select deployment_id, minute, bytes_in + bytes_out
  from traffic_minutes, span, until
  where minute >= greatest(span.begins, until.hours, until.half_hours)
    and minute < span.ends`;
