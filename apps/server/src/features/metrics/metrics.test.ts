import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { metrics as contract, type MetricsRange, metricsPoints, metricsRanges, metricsSeconds } from '@paddock/contract';
import { dayMs, hourMs, minuteMs } from '@paddock/contract/time';
import * as z from 'zod';
import { calledBy, databaseRows, type Rows } from '../../../test/database-rows.ts';
import { bucketOf, isNear, knownBuckets, metricsRows, type Visit } from '../../../test/metrics-rows.ts';
import { atEnd } from '../../../test/postgres.ts';
import { moveStore } from './move-store.ts';
import { rollUp } from './roll-up.ts';
import { rollUpStore } from './roll-up-store.ts';
import { metricsHandlers } from './routes.ts';
import { metricsStore } from './store.ts';
import { trafficStore } from './traffic-store.ts';
import { usageStore } from './usage-store.ts';

let rows: Rows;
let made: ReturnType<typeof metricsRows>;
before(async () => {
  rows = await databaseRows({ after: atEnd });
  made = metricsRows(rows);
});

// Tests write into hours that another test has rolled up already.
beforeEach(() => rows.sql`update rolled_up set until = '-infinity'`);

/** In the middle of a minute, so that the test's minutes are the gateway's. */
const now = new Date(Math.floor(Date.now() / minuteMs) * minuteMs + 30_000);
const ago = (ms: number) => new Date(now.getTime() - ms);

const handlers = () =>
  metricsHandlers(
    { store: metricsStore(rows.sql), moves: moveStore(rows.sql), traffic: trafficStore(rows.sql), usage: usageStore(rows.sql) },
    () => now,
  );
const asked = async (who: Parameters<typeof calledBy>[0], id: string, time_range: MetricsRange) =>
  z.parse(contract.agent.output, await handlers().agent({ id, time_range }, calledBy(who)));
const measured = (points: readonly { value: number | null }[]) => points.flatMap(({ value }) => (value === null ? [] : [value]));

/** Latencies of 1 to `count` ms; their order does not matter. */
const spread = (count: number, status = 200): Visit[] =>
  Array.from({ length: count }, (_, n) => ({ status, us: (n + 1) * 1000, bytes_in: 10, bytes_out: 90 }));

test('an installation that has measured nothing yet has nothing to add up', async () => {
  await rollUp(rollUpStore(rows.sql))(new AbortController().signal);
  const sums = await rows.sql`
    select 1
    from rolled_up
    where isfinite(until)`;
  assert.equal(sums.length, 0);
});

test('each range has exactly its points, aligned to its steps, and what was not measured is a gap', async () => {
  const ada = await rows.team();
  const id = await made.deployment(ada, { at: ago(30 * minuteMs) });
  for (const range of metricsRanges) {
    const found = await asked(ada, id, range);
    assert.equal(found.step_s, metricsSeconds[range] / metricsPoints[range]);
    for (const series of [found.requests_per_minute, found.latency_over_time, found.cpu_usage_over_time, found.restarts_over_time]) {
      assert.equal(series.length, metricsPoints[range], range);
      for (const { timestamp } of series) assert.equal(Date.parse(timestamp) % (found.step_s * 1000), 0);
    }
    assert.deepEqual([found.requests_total, found.error_rate, found.p95_latency_ms], [0, null, null]);
    assert.deepEqual(measured(found.latency_over_time), []);
    assert.ok(measured(found.requests_per_minute).every((value) => value === 0));
  }
  const { requests_per_minute, deployments, uptime_percentage, health } = await asked(ada, id, '1h');
  assert.equal(measured(requests_per_minute).length, 31, 'no request is 0 since it serves, and a gap before');
  assert.deepEqual([deployments.map((one) => one.id), uptime_percentage, health], [[id], 100, 'Excellent']);
});

test('counts of two gateways are exact, 4xx are neither success nor failure, and percentiles are those of all requests', async () => {
  const ada = await rows.team();
  const id = await made.deployment(ada, { at: ago(2 * hourMs) });
  const first = [...spread(500), ...spread(20, 404), ...spread(10, 503), { status: 502, us: 30_000_000 }];
  const second = [...spread(1000), { status: 101, us: 1000 }, { status: 304, us: 1000 }];
  await made.visits(id, { at: ago(5 * minuteMs), visits: first });
  await made.visits(id, { at: ago(5 * minuteMs), visits: second, gateway: 'gw-2' });
  await made.visits(id, { at: ago(90 * minuteMs), visits: spread(50) });
  const found = await asked(ada, id, '1h');
  const all = [...first, ...second].map(({ us }) => us / 1000).sort((a, b) => a - b);
  const at = (share: number) => all[Math.ceil(share * all.length) - 1]!;
  assert.deepEqual(
    [found.requests_total, found.requests_success, found.requests_failed, found.upstream_errors, found.bytes_in, found.bytes_out],
    [1533, 1502, 11, 1, 15_300, 137_700],
  );
  assert.deepEqual(found.requests_by_status, { '1xx': 1, '2xx': 1500, '3xx': 1, '4xx': 20, '5xx': 11 });
  assert.equal(found.error_rate, 11 / 1533);
  assert.ok(isNear(found.avg_latency_ms, all.reduce((sum, ms) => sum + ms, 0) / all.length));
  for (const [ms, share] of [
    [found.p50_latency_ms, 0.5],
    [found.p95_latency_ms, 0.95],
    [found.p99_latency_ms, 0.99],
  ] as const)
    assert.ok(isNear(ms, at(share)), `${share}: ${ms} of ${at(share)}`);
  const index = found.requests_per_minute.findIndex(({ value }) => value === 1533);
  assert.equal(
    found.requests_per_minute[index]?.timestamp,
    new Date(Math.floor(ago(5 * minuteMs).getTime() / minuteMs) * minuteMs).toISOString(),
  );
  assert.ok(isNear(found.p95_latency_over_time[index]?.value, at(0.95)));
  assert.equal((await asked(ada, id, '24h')).requests_total, 1583);
});

test('the step that is not over is told by the minutes that it has lasted', async () => {
  const ada = await rows.team();
  const id = await made.deployment(ada, { at: ago(3 * dayMs) });
  const last = async (range: MetricsRange) => (await asked(ada, id, range)).requests_per_minute.at(-1)!;
  const { timestamp } = await last('7d');
  const begun = new Date(timestamp).getTime();
  const lasted = Math.ceil((now.getTime() - begun) / minuteMs);
  for (let n = 0; n < lasted; n++) await made.visits(id, { at: new Date(begun + n * minuteMs), visits: spread(12) });
  assert.equal((await last('7d')).value, 12);
  assert.equal((await last('1h')).value, 12);
});

test('a range reads the same before and after minutes were added up to hours and days, however often that is done', async () => {
  const ada = await rows.team();
  const id = await made.deployment(ada, { at: ago(31 * dayMs) });
  for (const at of [
    10 * minuteMs,
    70 * minuteMs,
    75 * minuteMs,
    5 * hourMs,
    26 * hourMs,
    27 * hourMs,
    3 * dayMs,
    6 * dayMs + 90 * minuteMs,
    12 * dayMs,
    29 * dayMs,
  ])
    for (const gateway of ['gw-1', 'gw-2'])
      await made.visits(id, { at: ago(at), gateway, visits: [...spread(200 + (at % 7)), ...spread(3, 500)] });
  const looks = { measured_ms: 1000, cpu_limit_ms: 2000, memory_limit_bytes: 512 * 1024 ** 2 };
  for (const at of [30 * minuteMs, 3 * dayMs])
    await rows.sql`insert into usage_minutes ${rows.sql({ ...looks, deployment_id: id, at: ago(at).toISOString(), cpu_ms: 500, memory_bytes: 64 * 1024 ** 2 })}`;
  const read = () => Promise.all(metricsRanges.map((range) => asked(ada, id, range)));
  const before = await read();
  assert.ok(before[3]!.requests_total > before[2]!.requests_total && before[2]!.requests_total > before[1]!.requests_total);
  const store = rollUpStore(rows.sql);
  const never = new AbortController().signal;
  for (let turn = 0; turn < 8; turn++) await rollUp(store)(never);
  assert.deepEqual(await read(), before);
  const [hours] = await rows.sql`select count(*)::int as n from traffic_hours where deployment_id = ${id}`;
  const [days] = await rows.sql`select count(*)::int as n from traffic_days where deployment_id = ${id}`;
  assert.ok(hours?.n >= 8 && days?.n >= 5, `${hours?.n} hours, ${days?.n} days`);
  await rows.sql`update rolled_up set until = until - interval '2 days'`;
  await rollUp(store)(never);
  assert.deepEqual(await read(), before, 'what is added up again is not added twice');
  await rows.sql`delete from traffic_minutes where deployment_id = ${id} and minute < now() - interval '7 days'`;
  assert.deepEqual((await read())[3], before[3], 'minutes of older days are not needed any more');
});

test('what a gateway could not write for an hour is in the hours all the same', async () => {
  const ada = await rows.team();
  const id = await made.deployment(ada, { at: ago(2 * dayMs) });
  const store = rollUpStore(rows.sql);
  const never = new AbortController().signal;
  await made.visits(id, { at: ago(26 * hourMs), visits: spread(10) });
  await rollUp(store)(never);
  assert.equal((await asked(ada, id, '7d')).requests_total, 10);
  await made.visits(id, { at: ago(2 * hourMs), visits: spread(7) });
  // Simulates the next full hour.
  await rows.sql`update rolled_up set until = until - interval '1 hour' where name <> 'days'`;
  await rollUp(store)(never);
  assert.equal((await asked(ada, id, '7d')).requests_total, 17);
});

test('the buckets mean the same to the gateway and to the database', async () => {
  const buckets = await rows.sql<{ us: number }[]>`
    select latency_bucket_us(bucket) as us
    from unnest(${knownBuckets.map(([bucket]) => bucket)}::int[]) bucket`;
  assert.deepEqual(
    buckets.map(({ us }) => us),
    knownBuckets.map(([, us]) => us),
  );
  for (const [bucket, us] of knownBuckets) assert.equal(bucketOf(us), bucket);
});

test("a project's series go on over its deployments, without its preview and without other teams", async () => {
  const ada = await rows.team();
  const [old, fresh] = [
    await made.deployment(ada, { at: ago(5 * hourMs), ended: ago(2 * hourMs) }),
    await made.deployment(ada, { at: ago(2 * hourMs) }),
  ];
  const preview = await made.deployment(ada, { at: ago(5 * hourMs), environment: 'preview' });
  await made.visits(old, { at: ago(4 * hourMs), visits: spread(10) });
  await made.visits(fresh, { at: ago(hourMs), visits: spread(20) });
  await made.visits(preview, { at: ago(hourMs), visits: spread(400) });
  for (const id of [old, fresh]) {
    const found = await asked(ada, id, '24h');
    assert.deepEqual([found.requests_total, found.uptime_percentage, found.deployments.map((one) => one.id)], [30, 100, [old, fresh]]);
    assert.ok(Math.abs(found.running_s - 5 * 3600) < 1);
    assert.equal(found.cost_usd, 0.5, 'five hours at 10 cents');
  }
  const bob = await rows.team();
  await assert.rejects(asked(bob, fresh, '24h'), /no such deployment/);
  const mine = await handlers().agents({ limit: 50 }, calledBy(ada));
  assert.deepEqual(
    z.parse(contract.agents.output, mine).agents.map(({ agent_id, requests_total }) => [agent_id, requests_total]),
    [
      [fresh, 30],
      [preview, 400],
    ],
  );
  const all = z.parse(contract.system.output, await handlers().system({ time_range: '24h' }, calledBy(ada)));
  assert.deepEqual([all.total_requests, all.total_agents, all.uptime_percentage, all.error_rate], [430, 2, 100, 0]);
  const none = await handlers().system({ time_range: '24h' }, calledBy(bob));
  assert.deepEqual(none, { total_requests: 0, total_agents: 0, avg_latency_ms: null, error_rate: null, uptime_percentage: null });
});

test('crashes lower the uptime, and are counted with those for lack of memory', async () => {
  const ada = await rows.team();
  const id = await made.deployment(ada, { at: ago(100 * minuteMs) });
  const active = { from: 'active', to: 'active' };
  await made.move(ada, id, { at: ago(50 * minuteMs), ...active, why: 'crashed' });
  await made.move(ada, id, { at: ago(45 * minuteMs), ...active, why: 'ready' });
  await made.move(ada, id, { at: ago(20 * minuteMs), ...active, why: 'out_of_memory' });
  await made.move(ada, id, { at: ago(15 * minuteMs), ...active, why: 'ready' });
  const found = await asked(ada, id, '24h');
  assert.deepEqual([found.restarts, found.out_of_memory, found.health_lowered_by], [2, 1, 'uptime']);
  assert.ok(isNear(found.uptime_percentage, 90), `${found.uptime_percentage}`);
  assert.equal(
    measured(found.restarts_over_time).reduce((sum, value) => sum + value, 0),
    2,
  );
});
