import { type MetricsRange, metricsRanges } from '@paddock/contract';
import type { Sql } from '../../apps/server/src/db/connect.ts';
import { moveStore } from '../../apps/server/src/features/metrics/move-store.ts';
import { rollUp } from '../../apps/server/src/features/metrics/roll-up.ts';
import { rollUpStore } from '../../apps/server/src/features/metrics/roll-up-store.ts';
import { metricsHandlers } from '../../apps/server/src/features/metrics/routes.ts';
import { metricsStore } from '../../apps/server/src/features/metrics/store.ts';
import { trafficStore } from '../../apps/server/src/features/metrics/traffic-store.ts';
import { usageStore } from '../../apps/server/src/features/metrics/usage-store.ts';
import { inDatabase, seed } from '../database.ts';
import { interleave, median } from '../measure.ts';
import { below, type Row } from '../row.ts';

const deployments = Number(process.env.PADDOCK_BENCH_AGENTS ?? 100);
const asked = 40;
const days = 30;

export const row: Row = {
  name: 'metrics',
  seconds: 150,
  run: (report) =>
    inDatabase(async (sql) => {
      const { team_id } = await seed(sql);
      await sql`
        insert into projects (id, team_id, name, subdomain)
        select 'prj_' || d, ${team_id}, 'agent-' || d, 'agent-' || d from generate_series(1, ${deployments}::int) d`;
      await sql`
        insert into deployments (id, team_id, project_id, environment, status, source_blob, source_name, source_bytes, created_by, is_current, deployed_at)
        select 'dep_' || d, ${team_id}, 'prj_' || d, 'production', 'active', 'b', 'n', 1, 'u', true, now() - interval '31 days'
        from generate_series(1, ${deployments}::int) d`;
      await sql`
        insert into moves (team_id, project_id, environment, deployment_id, fence, from_status, to_status, why, at)
        select ${team_id}, 'prj_' || d, 'production', 'dep_' || d, 1, 'deploying', 'active', 'ready', now() - interval '31 days'
        from generate_series(1, ${deployments}::int) d`;
      const handlers = metricsHandlers({
        store: metricsStore(sql),
        moves: moveStore(sql),
        traffic: trafficStore(sql),
        usage: usageStore(sql),
      });
      const person = { actor: { team_id } } as unknown as Parameters<typeof handlers.agent>[1];
      const among = { count: 0 };
      const read = (time_range: MetricsRange) => async () => {
        const times: number[] = [];
        for (let n = 0; n < asked; n++) {
          const begun = performance.now();
          const { requests_total } = await handlers.agent({ id: `dep_${((n * 37) % among.count) + 1}`, time_range }, person);
          times.push(performance.now() - begun);
          if (requests_total < 1000) throw new Error(`${requests_total} requests in ${time_range}`);
        }
        return median(times);
      };
      const measure = async (to: number) => {
        for (let d = among.count + 1; d <= to; d++) await fill(sql, `dep_${d}`);
        await sql`update rolled_up set until = '-infinity'`;
        await rollUp(rollUpStore(sql))(new AbortController().signal);
        for (const table of [
          'traffic_minutes',
          'traffic_half_hours',
          'traffic_hours',
          'traffic_days',
          'usage_minutes',
          'usage_hours',
          'moves',
        ])
          await sql.unsafe(`vacuum analyze ${table}`);
        among.count = to;
        const reads = metricsRanges.map(read);
        for (const each of reads) await each();
        return interleave(3, reads);
      };
      const small = await measure(Math.ceil(deployments / 10));
      const large = await measure(deployments);
      const note = await sizes(sql);
      for (const [at, range] of metricsRanges.entries()) {
        const work = `metrics of one of ${deployments} agents, ${range}, minutes of ${days} days, p50`;
        report(below({ work, unit: 'ms', ours: { values: large[at]!, digits: 1 }, max: 50, note }));
        const growth = median(large[at]!) / median(small[at]!);
        report(
          below({ work: `metrics, ${range}, cost at ten times the rows`, unit: '×', ours: { values: [growth], digits: 2 }, max: 1.2 }),
        );
      }
    }),
};

/** A gateway's counts of a minute, in the given number of buckets: 30 visits a minute, spread from a few to a few hundred milliseconds. */
async function fill(sql: Sql, id: string): Promise<void> {
  const template = (buckets: number, every: number) =>
    Array.from({ length: 40 }, (_, n) =>
      JSON.stringify(
        Object.fromEntries(Array.from({ length: buckets }, (_, k) => [`${400 + ((k * every + n * 3) % 300)}`, 1 + ((k + n) % 3)])),
      ),
    );
  const requests = 'select sum(value::int) from jsonb_each_text(latency)';
  const visits = (of: string) =>
    `(${requests})::int, array[0, (${requests})::int, 0, 0, 0], 0, 1000, 100000, (${requests})::bigint * 40000, ${of}`;
  const minutes = `
    insert into traffic_minutes (deployment_id, minute, gateway_id, requests, statuses, upstream_errors, bytes_in, bytes_out, latency_us_sum, latency)
    select '${id}', date_trunc('minute', now()) - n * interval '1 minute', 'gw', ${visits('latency')}
    from (select n, (($1::text[])[n % 40 + 1])::jsonb as latency from generate_series(0, 7 * 1440 - 1) n) given`;
  await sql.unsafe(minutes, [template(15, 17)]);
  const hours = `
    insert into traffic_hours (deployment_id, at, requests, statuses, upstream_errors, bytes_in, bytes_out, latency_us_sum, latency, p50_us, p95_us, p99_us)
    select '${id}', date_trunc('hour', now(), 'UTC') - n * interval '1 hour', ${visits('latency')}, latency_us_at(latency, 0.5), latency_us_at(latency, 0.95), latency_us_at(latency, 0.99)
    from (select n, (($1::text[])[n % 40 + 1])::jsonb as latency from generate_series(7 * 24, ${days} * 24) n) given`;
  await sql.unsafe(hours, [template(150, 1)]);
  await sql`
    insert into traffic_days (deployment_id, at, requests, statuses, upstream_errors, bytes_in, bytes_out, latency_us_sum, latency, p50_us, p95_us, p99_us)
    select deployment_id, date_trunc('day', at, 'UTC'), 1000, '{0,1000,0,0,0}', 0, 0, 0, 1, latency, 1, 1, 1
    from traffic_hours
    where deployment_id = ${id}
      and extract(hour from at at time zone 'UTC') = 3`;
  await sql`
    insert into usage_minutes (deployment_id, at, measured_ms, cpu_ms, cpu_limit_ms, memory_bytes, memory_limit_bytes)
    select ${id}, date_trunc('minute', now()) - n * interval '1 minute', 60000, 600, 60000, 100000000, 512000000
    from generate_series(0, 7 * 1440 - 1) n`;
  await sql`
    insert into usage_hours (deployment_id, at, measured_ms, cpu_ms, cpu_limit_ms, memory_bytes, memory_limit_bytes)
    select ${id}, date_trunc('hour', now(), 'UTC') - n * interval '1 hour', 3600000, 36000, 3600000, 100000000, 512000000
    from generate_series(7 * 24, ${days} * 24) n`;
}

async function sizes(sql: Sql): Promise<string> {
  const rows = await sql<{ name: string; mb: number }[]>`
    select relname as name, round(pg_total_relation_size(oid) / 1e6)::int as mb
    from pg_class
    where relname in ('traffic_minutes', 'traffic_half_hours', 'traffic_hours', 'traffic_days', 'usage_minutes', 'usage_hours')
    order by 2 desc`;
  return rows.map(({ name, mb }) => `${name} ${mb} MB`).join(', ');
}
