import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { type Series, valueOf } from '../../../../test/exposition.ts';
import { ago, answers, day, hour, minute, type Observed, observedRows } from '../../../../test/observability.ts';
import { atEnd } from '../../../../test/postgres.ts';
import { removeOldTraffic } from '../../../gateway/traffic.ts';

let rows: Observed;
before(async () => {
  rows = await observedRows({ after: atEnd });
});
beforeEach(() => rows.forget());

const counters = (series: Series[]) => series.filter(({ name }) => /_(total|bucket|sum|count)$/.test(name));

test('no counter falls or jumps when minutes are added up to hours and days and then removed', async () => {
  const id = await rows.deployment(await rows.team(), { at: ago(40 * day) });
  for (const at of [
    minute,
    59 * minute,
    61 * minute,
    90 * minute,
    2 * hour,
    5 * hour,
    26 * hour,
    3 * day,
    6.5 * day,
    8 * day,
    12 * day,
    39 * day,
  ]) {
    await rows.visits(id, { at: ago(at), visits: answers({ 200: 50 + (Math.round(at / minute) % 7), 404: 1, 500: 1 }) });
    await rows.visits(id, { at: ago(at), visits: answers({ 200: 3 }), gateway: 'gw-2' });
    await rows.used(id, ago(at), 1000);
  }
  const again = rows.reader();
  const first = counters(await again());
  assert.ok(valueOf(first, 'paddock_agent_requests_total', { deployment: id, code: '2xx' })! > 600);
  assert.equal(valueOf(first, 'paddock_agent_cpu_seconds_total', { deployment: id }), 12);
  const isAs = async (what: string) => {
    assert.deepEqual(counters(await again()), first, what);
    assert.deepEqual(counters(await rows.read()), first, `${what}, read anew`);
  };
  for (let turn = 0; turn < 7; turn++) {
    await rows.rollUp();
    await isAs(`after turn ${turn} of the roll-up`);
  }
  await rows.rolling.sweep();
  const removed = await removeOldTraffic(rows.sql);
  assert.ok(removed > 0, 'some minutes were old');
  await isAs('after the sweep');
  await rows.sql`update rolled_up set until = until - interval '2 hours'`;
  await isAs('while hours are added up again');
});

test('what gateways write late for an hour that was added up is not lost between two turns of the roll-up', async () => {
  const id = await rows.deployment(await rows.team(), { at: ago(2 * day) });
  await rows.visits(id, { at: ago(30 * hour), visits: answers({ 200: 10 }) });
  await rows.rollUp();
  const again = rows.reader();
  const requests = async () => valueOf(await again(), 'paddock_agent_requests_total', { deployment: id, code: '2xx' });
  assert.equal(await requests(), 10);
  // The previous hour was rolled up without this minute.
  const late = new Date(Math.floor(Date.now() / hour) * hour - minute);
  await rows.visits(id, { at: late, visits: answers({ 200: 5 }) });
  assert.equal(await requests(), 15);
  await rows.sql`update rolled_up set until = until - interval '1 hour' where name = 'hours'`;
  await rows.rollUp();
  assert.equal(await requests(), 15);
});

test('a counter of an old deployment begins anew at 0, before its first days are removed', async () => {
  const [old, older] = [
    await rows.deployment(await rows.team(), { at: ago(300 * day) }),
    await rows.deployment(await rows.team(), { at: ago(370 * day) }),
  ];
  for (const id of [old, older]) {
    for (const at of [299 * day, 10 * minute]) await rows.visits(id, { at: ago(at), visits: answers({ 200: 10 }) });
    await rows.sql`
      insert into moves (team_id, project_id, environment, deployment_id, fence, from_status, to_status, at, why)
      select team_id, project_id, environment, id, 100, 'active', 'active', now() - interval '298 days', 'crashed'
      from deployments
      where id = ${id}`;
  }
  await rows.sql`
    insert into moves (team_id, project_id, environment, deployment_id, fence, from_status, to_status, at, why)
    select team_id, project_id, environment, id, 101, 'active', 'active', now() - interval '297 days', 'ready'
    from deployments`;
  // Only the needed part of the roll-up, which would also process 300 days of empty hours.
  const step = (length: number) => {
    const from = Math.floor(ago(299 * day).getTime() / length) * length;
    return { from: new Date(from), to: new Date(from + length) };
  };
  await rows.rolling.addUp({ unit: 'half_hour', ...step(hour / 2) });
  await rows.rolling.addUp({ unit: 'hour', ...step(hour) });
  await rows.rolling.addUp({ unit: 'day', ...step(day) });
  const until = (length: number) => new Date(Math.floor(ago(2 * hour).getTime() / length) * length);
  await rows.rolling.rolledUntil('hour', until(hour));
  await rows.rolling.rolledUntil('day', until(day));
  const found = await rows.read();
  const requests = (id: string) => valueOf(found, 'paddock_agent_requests_total', { deployment: id, code: '2xx' });
  const crashes = (id: string) => valueOf(found, 'paddock_agent_restarts_total', { deployment: id, reason: 'crashed' });
  assert.deepEqual([requests(old), crashes(old), requests(older), crashes(older)], [20, 1, 10, 0]);
});
