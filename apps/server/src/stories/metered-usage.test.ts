import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { usage as contract } from '@paddock/contract';
import { dayMs, hourMs } from '@paddock/contract/time';
import type { Instance } from '@paddock/runtime';
import * as z from 'zod';
import { calledBy, databaseRows, type Rows } from '../../test/database-rows.ts';
import { metricsRows } from '../../test/metrics-rows.ts';
import { atEnd } from '../../test/postgres.ts';
import { budgetSources } from '../features/billing/usage/budget-sources.ts';
import { createMeter } from '../features/billing/usage/meter.ts';
import { meterStore } from '../features/billing/usage/meter-store.ts';
import { usageHandlers } from '../features/billing/usage/routes.ts';
import { runMeter } from '../features/billing/usage/run-meter.ts';
import { runSpanStore } from '../features/billing/usage/run-span-store.ts';
import { usageReadStore } from '../features/billing/usage/store.ts';
import { rollUp } from '../features/metrics/roll-up.ts';
import { rollUpStore } from '../features/metrics/roll-up-store.ts';

let rows: Rows;
let made: ReturnType<typeof metricsRows>;
before(async () => {
  rows = await databaseRows({ after: atEnd });
  made = metricsRows(rows);
});

type Team = Awaited<ReturnType<Rows['team']>>;
const at = (iso: string) => new Date(`${iso}Z`);
const meter = () => createMeter(meterStore(rows.sql));
const deps = (sql = rows.sql) => ({ store: usageReadStore(sql), budgets: budgetSources(sql, async () => new Map()) });
const handlers = (now: Date) => usageHandlers({ ...deps(), planInForce: async () => null }, () => now);
const asked = async (who: Team, now: Date, input: { month?: string; project_id?: string } = {}) =>
  z.parse(contract.list.output, await handlers(now).list(input, calledBy(who)));
const isWithinOnePercent = (found: number | undefined, expected: number, what: string) =>
  assert.ok(found !== undefined && Math.abs(found - expected) <= expected * 0.01, `${what}: ${found} of ${expected}`);

/** Inserts a past run into `running_spans`. */
const ran = (of: Team, deployment_id: string, { id, from, to, cpus = 1 }: { id: string; from: Date; to: Date; cpus?: number }) => rows.sql`
  insert into running_spans (instance_id, team_id, project_id, deployment_id, cpu_milli, began_at, seen_at)
  values (${id}, ${of.team_id}, ${of.project_id}, ${deployment_id}, ${cpus * 1000}, ${from.toISOString()}, ${to.toISOString()})
  on conflict (instance_id) do update set seen_at = greatest(running_spans.seen_at, excluded.seen_at)`;
const sampled = (database_id: string, when: Date, size_bytes: number) => rows.sql`
  insert into database_samples (database_id, at, size_bytes, memory_bytes, connections)
  values (${database_id}, ${when.toISOString()}, ${size_bytes}, 1, 1)
  on conflict (database_id, at) do update set size_bytes = excluded.size_bytes`;
const clean = async () => {
  await rows.sql`update rolled_up set until = '-infinity'`;
  await rows.sql`truncate metered_months, metered_days, metered_corrections, running_spans, stored_spans, traffic_minutes, traffic_half_hours, traffic_hours, traffic_days`;
};
const days = (of: Team) => rows.sql`
  select day::text, kind, amount::float8 as amount
  from metered_days
  where team_id = ${of.team_id}
  order by 1, 2`;

test('a scripted day costs what seconds run, bytes sent and bytes stored make, and a second rebuild gives equal rows', async () => {
  await clean();
  const ada = await rows.team();
  const eve = await rows.team();
  const id = await made.deployment(ada, { at: at('2026-03-09T08:00:00') });
  // Two instances one after the other, and a concurrent one with half a core.
  await ran(ada, id, { id: 'a1', from: at('2026-03-10T01:00:00'), to: at('2026-03-10T04:30:00') });
  await ran(ada, id, { id: 'a2', from: at('2026-03-10T04:30:05'), to: at('2026-03-10T05:00:05') });
  await ran(ada, id, { id: 'a3', from: at('2026-03-10T02:00:00'), to: at('2026-03-10T03:00:00'), cpus: 0.5 });
  for (let minute = 0; minute < 30; minute++)
    await made.visits(id, {
      at: new Date(at('2026-03-10T02:00:00').getTime() + minute * 60_000),
      visits: [{ status: 200, us: 10, bytes_in: 1_000_000, bytes_out: 99_000_000 }],
    });
  const database = await rows.row(ada);
  // 12 hours of 2 GB, 6 hours of 4 GB; three of them were not measured.
  for (const [hours, gb] of [
    [0, 2],
    [6, 2],
    [9, 2],
    [12, 4],
    [15, 4],
    [18, 4],
  ] as const)
    await sampled(database, new Date(at('2026-03-10T00:00:00').getTime() + hours * hourMs), gb * 1e9);
  const evening = at('2026-03-10T20:00:00');
  await meter().refresh(evening);
  const first = await days(ada);
  await meter().rebuild(evening);
  await rows.sql`delete from metered_days`;
  await meter().rebuild(evening);
  assert.deepEqual(await days(ada), first, 'rebuilt of the sources alone');

  const { usage, metered_at } = await asked(ada, evening);
  const [march] = usage;
  assert.equal(usage.length, 1);
  assert.equal(march?.month, '2026-03');
  assert.equal(metered_at, evening.toISOString());
  isWithinOnePercent(march.compute_hours, 3.5 + 0.5 + 1, 'compute');
  isWithinOnePercent(march.core_hours, 3.5 + 0.5 + 0.5, 'cores');
  isWithinOnePercent(march.bandwidth_gb, 3, 'bandwidth');
  isWithinOnePercent(march.database_storage_gb, (12 * 2 + 6 * 4) / (31 * 24), 'storage');
  assert.deepEqual([march.compute_cost, march.bandwidth_cost, march.database_storage_cost, march.cost], [0.5, 0.15, 0.01, 0.66]);
  assert.equal(march.by_day?.length, 10);
  isWithinOnePercent(march.by_day?.[9]?.compute_hours, 5, 'its day');
  assert.deepEqual(
    march.by_day?.slice(0, 9).map(({ cost }) => cost),
    Array(9).fill(0),
  );
  assert.deepEqual(
    march.by_project?.map(({ project_id, project_name, cost }) => [project_id, project_name, cost]),
    [[ada.project_id, 'demo', 0.66]],
  );
  const elapsed = (9 * 24 + 20) / (31 * 24);
  isWithinOnePercent(march.projected?.compute_hours, 5 / elapsed, 'projected');
  assert.equal((await asked(eve, evening)).usage[0]?.cost, 0, 'nobody else pays');
  await assert.rejects(asked(eve, evening, { project_id: ada.project_id }), { code: 'project_not_found' });
});

test('a run that goes over a month’s end is split at midnight, UTC, and stored bytes are shared by the hours of each month', async () => {
  await clean();
  const ada = await rows.team();
  const id = await made.deployment(ada, { at: at('2028-02-01T00:00:00') });
  await ran(ada, id, { id: 'leap', from: at('2028-02-29T22:00:00'), to: at('2028-03-01T03:00:00') });
  const database = await rows.row(ada);
  await sampled(database, at('2028-02-29T12:00:00'), 29e9);
  await sampled(database, at('2028-03-01T12:00:00'), 29e9);
  const now = at('2028-03-01T12:00:00');
  await meter().rebuild(now);
  await meter().refresh(now);
  const { usage } = await asked(ada, now);
  assert.deepEqual(
    usage.map(({ month, compute_hours }) => [month, compute_hours]),
    [
      ['2028-03', 3],
      ['2028-02', 2],
    ],
  );
  isWithinOnePercent(usage[1]?.database_storage_gb, (29 * 12) / (29 * 24), 'February of a leap year has 29 days');
  isWithinOnePercent(usage[0]?.database_storage_gb, (29 * 12) / (31 * 24), 'March');
  assert.equal(usage[0]?.projected, null, 'half a day tells nothing of a month');
  assert.deepEqual([usage[1]?.by_day, usage[1]?.by_project], [null, null]);
  const { usage: february } = await asked(ada, now, { month: '2028-02' });
  assert.equal(february[0]?.by_day?.length, 29);
  for (const month of ['2028-04', '2020-01']) await assert.rejects(asked(ada, now, { month }), { code: 'input_invalid' });
});

test('a month is closed once, nothing changes it, and what comes later is counted in the next one and said so', async () => {
  await clean();
  const ada = await rows.team();
  const id = await made.deployment(ada, { at: at('2026-04-29T00:00:00') });
  await ran(ada, id, { id: 'late', from: at('2026-04-30T20:00:00'), to: at('2026-04-30T22:00:00') });
  await meter().refresh(at('2026-04-30T23:00:00'));
  await meter().rebuild(at('2026-05-01T05:00:00'));
  const april = async (now: Date) => (await asked(ada, now, { month: '2026-04' })).usage[0];
  assert.equal((await april(at('2026-05-01T05:00:00')))?.closed_at, null, 'gateways may still write');
  await meter().rebuild(at('2026-05-01T06:00:01'));
  const closed = await april(at('2026-05-01T07:00:00'));
  assert.deepEqual([closed?.compute_hours, closed?.closed_at], [2, '2026-05-01T06:00:01.000Z']);

  await assert.rejects(rows.sql`update metered_days set amount = 0 where day < '2026-05-01'`, /closed month does not change/);
  await assert.rejects(rows.sql`delete from metered_days where team_id = ${ada.team_id}`, /closed month does not change/);
  await assert.rejects(rows.sql`update metered_days set day = '2026-05-02' where day = '2026-04-30'`, /closed month does not change/);
  await assert.rejects(rows.sql`delete from metered_months`, /stays closed/);

  // The node had no database for hours; the run lasted until two o'clock.
  await ran(ada, id, { id: 'late', from: at('2026-04-30T20:00:00'), to: at('2026-05-01T02:00:00') });
  for (const hours of ['08', '09']) {
    await meter().rebuild(at(`2026-05-01T${hours}:00:00`));
    await meter().refresh(at(`2026-05-01T${hours}:00:00`));
    await meter().addCorrections();
  }
  const now = at('2026-05-01T10:00:00');
  assert.deepEqual(await april(now), closed);
  const [may] = (await asked(ada, now)).usage;
  assert.equal(may?.compute_hours, 4, 'two hours of its own and two that came late');
  assert.deepEqual(
    may.corrections.map(({ of_month, compute_hours, cost }) => [of_month, compute_hours, cost]),
    [['2026-04', 2, 0.2]],
  );
  assert.equal(may.by_project?.[0]?.cost, 0.4);
  assert.equal(may.by_day?.[0]?.compute_hours, 2);

  await rows.sql`delete from deployments where team_id = ${ada.team_id}`;
  await rows.sql`delete from projects where team_id = ${ada.team_id}`;
  await rows.sql`delete from teams where id = ${ada.team_id}`;
  assert.equal((await days(ada)).length, 0, 'a deleted team takes its rows with it');
});

test('what becomes known of an older closed month is counted in the open one, once, for as long as its sources are kept', async () => {
  await clean();
  const ada = await rows.team();
  const id = await made.deployment(ada, { at: at('2026-02-01T00:00:00') });
  for (const month of ['02', '03', '04', '05'])
    await ran(ada, id, { id: `of-${month}`, from: at(`2026-${month}-10T00:00:00`), to: at(`2026-${month}-10T01:00:00`) });
  await meter().refresh(at('2026-02-10T02:00:00'));
  for (const month of ['03', '04', '05', '06']) await meter().rebuild(at(`2026-${month}-01T07:00:00`));
  const late = (month: string) =>
    ran(ada, id, { id: `late-${month}`, from: at(`2026-${month}-11T00:00:00`), to: at(`2026-${month}-11T02:00:00`) });
  for (const month of ['02', '03', '05']) await late(month);
  for (let n = 0; n < 2; n++) await meter().addCorrections();
  await meter().rebuild(at('2026-07-01T07:00:00'));
  await late('04');
  for (let n = 0; n < 2; n++) await meter().addCorrections();
  const corrections = await rows.sql`
    select month::text, of_month::text, amount::int as seconds
    from metered_corrections
    where team_id = ${ada.team_id}
      and kind = 'compute_s'
    order by 1, 2`;
  assert.deepEqual(
    corrections.map(({ month, of_month, seconds }) => [month, of_month, seconds]),
    [
      ['2026-06-01', '2026-03-01', 7200],
      ['2026-06-01', '2026-05-01', 7200],
      ['2026-07-01', '2026-04-01', 7200],
    ],
    'February was too long ago',
  );
});

test('the usage of a deleted project stays under its name, and bytes are found after they were added up to days', async () => {
  await clean();
  const ada = await rows.team();
  const now = new Date();
  const id = await made.deployment(ada, { at: new Date(now.getTime() - 50 * hourMs) });
  const yesterday = new Date(now.getTime() - dayMs);
  await made.visits(id, { at: yesterday, visits: [{ status: 200, us: 10, bytes_in: 1e9, bytes_out: 2e9 }] });
  await meter().refresh(now);
  const before = await days(ada);
  await rollUp(rollUpStore(rows.sql))(new AbortController().signal);
  await rows.sql`delete from traffic_minutes`;
  await meter().refresh(now);
  assert.deepEqual(await days(ada), before);
  await rows.sql`delete from deployments where id = ${id}`;
  await rows.sql`delete from projects where id = ${ada.project_id}`;
  await meter().refresh(now);
  const { usage } = await asked(ada, now, { month: yesterday.toISOString().slice(0, 7) });
  assert.deepEqual(
    usage[0]?.by_project?.map(({ project_name, is_deleted, bandwidth_gb }) => [project_name, is_deleted, bandwidth_gb]),
    [['demo', true, 3]],
  );
});

test('bytes of an hour that is half added up count once', async () => {
  await clean();
  const ada = await rows.team();
  const id = await made.deployment(ada, { at: at('2026-03-10T00:00:00') });
  for (const [minute, bytes_out] of [
    ['01:50', 1e9],
    ['02:10', 2e9],
    ['02:40', 4e9],
  ] as const)
    await made.visits(id, { at: at(`2026-03-10T${minute}:00`), visits: [{ status: 200, us: 10, bytes_in: 0, bytes_out }] });
  const added = rollUpStore(rows.sql);
  const from = (time: string) => at(`2026-03-10T${time}:00`);
  for (const [unit, begin, end] of [
    ['half_hour', '01:30', '02:00'],
    ['half_hour', '02:00', '02:30'],
    ['hour', '01:00', '02:00'],
  ] as const) {
    await added.addUp({ unit, from: from(begin), to: from(end) });
    await added.rolledUntil(unit, from(end));
  }
  for (const kept of ['2026-03-10', '2026-03-10T02:30:00Z']) {
    await rows.sql`delete from traffic_minutes where minute < ${kept}::timestamptz`;
    await meter().refresh(from('03:00'));
    assert.equal((await days(ada))[0]?.amount, 7e9);
  }
});

test('an instance counts from its start to its end, once, whoever looks, and to its last sign of life when its end is not known', async () => {
  const ada = await rows.team();
  const id = await made.deployment(ada, { at: new Date(Date.now() - hourMs) });
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
  const spans = runSpanStore(rows.sql);
  let instances: Instance[] = [];
  const server = () => runMeter({ driver: { list: async () => instances }, store: spans, limits: { cpus: 0.5 } });
  const instance = (name: string, began: number, more: Partial<Instance> = {}): Instance => ({
    ...{ id: `${id}-${name}`, deployment_id: id, generation: 1, state: 'running', started_at: ago(began) },
    ...more,
  });
  const seconds = async (name: string) => {
    const [row] = await rows.sql<{ seconds: number; cpu_milli: number }[]>`
      select extract(epoch from seen_at - began_at)::float8 as seconds, cpu_milli
      from running_spans
      where instance_id = ${`${id}-${name}`}`;
    return row;
  };
  const known = { code: 0, signal: null, oom: false, disk_full: false };
  instances = [instance('runs', 100), instance('ended', 60, { state: 'exited', exit: { ...known, at: ago(20) } }), instance('lost', 90)];
  await server().sample();
  // Another server adopts them after a kill -9; one of them has exited at an unknown time.
  const lost = (await seconds('lost'))?.seconds;
  instances = instances.map((one) =>
    one.id.endsWith('lost') ? { ...one, state: 'exited', exit: { ...known, code: null, at: new Date().toISOString() } } : one,
  );
  await Promise.all([server().sample(), server().sample()]);
  await server().note(instances);
  const [runs, ended] = [await seconds('runs'), await seconds('ended')];
  assert.ok(runs && runs.seconds >= 100 && runs.seconds < 130, `${runs?.seconds}`);
  assert.equal(runs.cpu_milli, 500);
  assert.ok(ended && Math.abs(ended.seconds - 40) < 1, `${ended?.seconds}`);
  assert.equal((await seconds('lost'))?.seconds, lost, 'what it did after the last look is not known');
});
