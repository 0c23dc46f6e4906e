import type { Sql } from '../../apps/server/src/db/connect.ts';
import { budgetStore } from '../../apps/server/src/features/billing/usage/budget-store.ts';
import { createMeter } from '../../apps/server/src/features/billing/usage/meter.ts';
import { meterStore } from '../../apps/server/src/features/billing/usage/meter-store.ts';
import { pagesOf } from '../../apps/server/src/jobs/pages.ts';
import { inDatabase } from '../database.ts';
import { below, type Row } from '../row.ts';

const most = Number(process.env.PADDOCK_BENCH_DEPLOYMENTS ?? 10_000);
const teams = 100;
const days = 31;
const rounds = 3;
/** Rows per statement, since statements are cancelled after 30 s. */
const atOnce = 500;

/** The cost of metering for an installation with many deployments: the turn of each minute, and of each hour, which recomputes the open month. */
export const row: Row = {
  name: 'metering',
  seconds: 240,
  run: async (report) => {
    for (const count of [most / 10, most])
      await inDatabase(async (sql) => {
        await fill(sql, count);
        const meter = createMeter(meterStore(sql));
        const budgets = budgetStore(sql);
        const at = new Date();
        const month = `${at.toISOString().slice(0, 7)}-01`;
        await meter.rebuild(at);
        await sql`analyze metered_days`;
        const note = `${teams} teams, a project and ${days} days of runs, visits and samples for each; ${await sizes(sql)}`;
        const minutes: number[] = [];
        const hours: number[] = [];
        for (let round = 1; round <= rounds; round++) {
          await goOn(sql);
          const now = new Date(at.getTime() + round * 1000);
          minutes.push(
            await timed(async () => {
              await meter.refresh(now);
              for await (const page of pagesOf(budgets.teamsAfter, 200)) await budgets.spent(month, page);
            }),
          );
          await goOn(sql);
          hours.push(await timed(() => meter.rebuild(now)));
        }
        const of = `metering of ${count.toLocaleString('en')} deployments`;
        report(below({ work: `${of}, each minute`, unit: 'ms', ours: { values: minutes, digits: 0 }, max: 6_000, note }));
        report(below({ work: `${of}, each hour`, unit: 'ms', ours: { values: hours, digits: 0 }, max: 60_000 }));
      });
  },
};

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** Extends everything that runs by a second, so that every row of today changes. */
async function goOn(sql: Sql): Promise<void> {
  await sql`update running_spans set seen_at = seen_at + interval '1 second' where seen_at > now() - interval '1 hour'`;
  await sql`update stored_spans set seen_at = seen_at + interval '1 second' where seen_at > now() - interval '1 hour'`;
  await sql`update traffic_minutes set bytes_out = bytes_out + 1 where minute > now() - interval '3 minutes'`;
}

/**
 * Each deployment restarts once a day. Every tenth has a database, whose size changes every six hours. There is a visit a minute, added up as
 * the product does it.
 */
async function fill(sql: Sql, count: number): Promise<void> {
  await sql`insert into teams (id, name) select 'team_' || t, 'Bench' from generate_series(0, ${teams - 1}::int) t`;
  await sql`insert into budgets (team_id, amount_cents) select 'team_' || t, 10000 from generate_series(0, ${teams - 1}::int) t`;
  for (let from = 1; from <= count; from += atOnce) await fillSome(sql, { from, to: Math.min(count, from + atOnce - 1) });
  await sql`
    update rolled_up
    set until = case name
      when 'days' then date_trunc('day', now(), 'UTC')
      when 'hours' then date_trunc('hour', now())
      else date_bin('30 minutes', now() - interval '1 minute', to_timestamp(0))
    end`;
  for (const table of [
    'running_spans',
    'stored_spans',
    'traffic_days',
    'traffic_hours',
    'traffic_half_hours',
    'traffic_minutes',
    'moves',
    'projects',
  ])
    await sql.unsafe(`vacuum analyze ${table}`);
}

async function fillSome(sql: Sql, { from, to }: { from: number; to: number }): Promise<void> {
  const given = sql`generate_series(${from}::int, ${to}::int) d`;
  const team = sql`'team_' || d % ${teams}::int`;
  const today = sql`date_trunc('day', now(), 'UTC')`;
  await sql`
    insert into projects (id, team_id, name, subdomain)
    select 'prj_' || d, ${team}, 'agent-' || d, 'agent-' || d
    from ${given}`;
  await sql`
    insert into moves (team_id, project_id, environment, deployment_id, fence, to_status, why, at)
    select ${team}, 'prj_' || d, 'production', 'dep_' || d, n, 'active', case n when 1 then 'created' else 'ready' end, now() - interval '31 days'
    from ${given}, generate_series(1, 6) n`;
  await sql`
    insert into running_spans (instance_id, team_id, project_id, deployment_id, cpu_milli, began_at, seen_at)
    select
      'ins_' || d || '_' || n, ${team}, 'prj_' || d, 'dep_' || d, 1000, now() - (n + 1) * interval '1 day', now() - n * interval '1 day'
    from ${given}, generate_series(0, ${days - 1}::int) n`;
  await sql`
    insert into stored_spans (database_id, began_at, seen_at, size_bytes, team_id, project_id)
    select
      'db_' || d, now() - (n + 1) * interval '6 hours', now() - n * interval '6 hours', 1000000000 + d * 1000, ${team}, 'prj_' || d
    from ${given}, generate_series(0, ${days * 4 - 1}::int) n
    where d % 10 = 0`;
  const visits = sql`1, '{0,1,0,0,0}', 0, 1000, 100000, 40000, '{}'`;
  await sql`
    insert into traffic_days (deployment_id, at, requests, statuses, upstream_errors, bytes_in, bytes_out, latency_us_sum, latency)
    select 'dep_' || d, ${today} - n * interval '1 day', ${visits}
    from ${given}, generate_series(1, ${days}::int) n`;
  await sql`
    insert into traffic_hours (deployment_id, at, requests, statuses, upstream_errors, bytes_in, bytes_out, latency_us_sum, latency)
    select 'dep_' || d, h, ${visits}
    from ${given}, generate_series(${today} - interval '1 day', date_trunc('hour', now()) - interval '1 hour', interval '1 hour') h`;
  await sql`
    insert into traffic_half_hours (deployment_id, at, requests, statuses, upstream_errors, bytes_in, bytes_out, latency_us_sum, latency)
    select 'dep_' || d, h, ${visits}
    from ${given}, generate_series(date_trunc('hour', now()) - interval '1 hour', now() - interval '31 minutes', interval '30 minutes') h`;
  await sql`
    insert into traffic_minutes (deployment_id, minute, gateway_id, requests, statuses, upstream_errors, bytes_in, bytes_out, latency_us_sum, latency)
    select 'dep_' || d, m, 'gw', ${visits}
    from ${given}, generate_series(date_trunc('hour', now()) - interval '1 hour', date_trunc('minute', now()), interval '1 minute') m`;
}

async function sizes(sql: Sql): Promise<string> {
  const rows = await sql<{ name: string; rows: string }[]>`
    select relname as name, reltuples::bigint::text as rows
    from pg_class
    where relname in ('running_spans', 'stored_spans', 'traffic_days', 'traffic_hours', 'traffic_minutes', 'metered_days')
    order by 1`;
  return rows.map(({ name, rows: count }) => `${name} ${Number(count).toLocaleString('en')}`).join(', ');
}
