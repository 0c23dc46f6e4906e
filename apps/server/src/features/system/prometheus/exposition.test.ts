import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { type Series, valueOf } from '../../../../test/exposition.ts';
import { ago, answers, hour, minute, type Observed, observedRows } from '../../../../test/observability.ts';
import { atEnd } from '../../../../test/postgres.ts';
import type { Most } from './exposition.ts';

let rows: Observed;
before(async () => {
  rows = await observedRows({ after: atEnd });
});
beforeEach(() => rows.forget());

const of = (series: Series[], deployment: string) => series.filter(({ labels }) => labels.deployment === deployment);

test("each count of an agent is exact, over two gateways, under its project's name and its own id", async () => {
  const ada = await rows.team();
  const id = await rows.deployment(ada, { at: ago(3 * hour) });
  const other = await rows.deployment(await rows.team(), { at: ago(3 * hour), environment: 'preview' });
  await rows.visits(id, { at: ago(5 * minute), visits: answers({ 101: 1, 200: 40, 304: 2, 404: 3, 502: 4 }) });
  await rows.visits(id, { at: ago(5 * minute), visits: answers({ 200: 7 }), gateway: 'gw-2' });
  await rows.visits(id, { at: ago(2 * hour), visits: answers({ 200: 100 }) });
  await rows.visits(other, { at: ago(minute), visits: answers({ 500: 1 }) });
  await rows.used(id, ago(2 * hour), 1500);
  await rows.used(id, ago(0), 250);
  const found = await rows.read();
  const own = { project: 'demo', environment: 'production', deployment: id };
  const requests = ['1xx', '2xx', '3xx', '4xx', '5xx'].map((code) => valueOf(found, 'paddock_agent_requests_total', { ...own, code }));
  assert.deepEqual(requests, [1, 147, 2, 3, 4]);
  const single = (name: string) => valueOf(found, `paddock_agent_${name}`, own);
  assert.deepEqual(
    ['upstream_errors_total', 'received_bytes_total', 'sent_bytes_total', 'cpu_seconds_total', 'cpu_limit_cores', 'up'].map(single),
    [4, 1570, 157_000, 1.75, 1.5, 1],
  );
  assert.deepEqual(['memory_bytes', 'memory_limit_bytes'].map(single), [64 * 1024 ** 2, 512 * 1024 ** 2]);
  assert.deepEqual([single('request_duration_seconds_count'), single('request_duration_seconds_sum')], [157, 15.7]);
  assert.equal(valueOf(found, 'paddock_agent_info', { ...own, team: ada.team_id, project_id: ada.project_id }), 1);
  assert.equal(valueOf(of(found, other), 'paddock_agent_requests_total', { environment: 'preview', code: '5xx' }), 1);
  assert.equal(single('memory_bytes') && valueOf(of(found, other), 'paddock_agent_memory_bytes'), undefined, 'what is not known is not 0');
});

test('buckets of times are cumulative, hold what lies at their bound, and the last one holds all', async () => {
  const id = await rows.deployment(await rows.team(), { at: ago(hour) });
  const times = [1, 4999, 5000, 5200, 9000, 100_000, 100_001, 102_000, 250_000, 59_000_000, 299_000_000, 4_000_000_000];
  await rows.visits(id, { at: ago(minute), visits: times.map((us) => ({ status: 200, us })) });
  const buckets = of(await rows.read(), id).filter(({ name }) => name === 'paddock_agent_request_duration_seconds_bucket');
  assert.deepEqual(
    buckets.map(({ labels, value }) => [labels.le, value]),
    [
      ...[
        ['0.005', 3],
        ['0.01', 5],
        ['0.025', 5],
        ['0.05', 5],
        ['0.1', 7],
        ['0.25', 9],
        ['0.5', 9],
        ['1', 9],
        ['2.5', 9],
        ['5', 9],
      ],
      ...[
        ['10', 9],
        ['30', 9],
        ['60', 10],
        ['300', 11],
        ['+Inf', 12],
      ],
    ],
  );
  assert.equal(valueOf(of(await rows.read(), id), 'paddock_agent_request_duration_seconds_count'), 12);
});

test('an agent that crashed is down until it answers, and one that ended in order is neither up nor down, and forgotten after an hour', async () => {
  const ada = await rows.team();
  const active = { from: 'active', to: 'active' };
  const id = await rows.deployment(ada, { at: ago(3 * hour) });
  const replaced = await rows.deployment(ada, { at: ago(5 * hour), ended: ago(10 * minute) });
  const gone = await rows.deployment(ada, { at: ago(5 * hour), ended: ago(2 * hour) });
  const failed = await rows.deployment(await rows.team(), { at: ago(5 * hour), ended: ago(minute) });
  await rows.sql`update deployments set status = 'failed' where id = ${failed}`;
  const up = async (of: string) => valueOf(await rows.read(), 'paddock_agent_up', { deployment: of });
  assert.equal(await up(id), 1);
  await rows.move(ada, id, { at: ago(20 * minute), ...active, why: 'crashed' });
  assert.equal(await up(id), 0);
  await rows.move(ada, id, { at: ago(15 * minute), ...active, why: 'ready' });
  await rows.move(ada, id, { at: ago(10 * minute), ...active, why: 'out_of_memory' });
  assert.equal(await up(id), 0);
  await rows.move(ada, id, { at: ago(5 * minute), ...active, why: 'ready' });
  assert.deepEqual([await up(id), await up(replaced), await up(failed)], [1, undefined, 0]);
  const found = await rows.read();
  const restarts = (reason: string) => valueOf(found, 'paddock_agent_restarts_total', { deployment: id, reason });
  assert.deepEqual(['crashed', 'out_of_memory', 'lost', 'node_died'].map(restarts), [1, 1, 0, 0]);
  assert.equal(
    valueOf(found, 'paddock_agent_requests_total', { deployment: replaced, code: '2xx' }),
    0,
    'its last requests are still told',
  );
  assert.deepEqual(of(found, gone), []);
});

test('of more agents and databases than are told, those that serve come first, and it is told that there are more', async () => {
  const ada = await rows.team();
  const ended = await rows.deployment(ada, { at: ago(hour), ended: ago(minute) });
  const old = await rows.deployment(ada, { at: ago(5 * hour) });
  const fresh = await rows.deployment(ada, { at: ago(2 * hour), environment: 'preview' });
  const stopped = await rows.row(ada, { wanted: 'stopped', status: 'stopped' });
  const running = await rows.row(await rows.team());
  const told = async (most: Most) => {
    const found = await rows.read(most);
    const ids = (name: string, label: string) => found.filter((one) => one.name === name).map(({ labels }) => labels[label]);
    return {
      agents: ids('paddock_agent_info', 'deployment'),
      databases: [...new Set(found.flatMap(({ labels }) => labels.database ?? []))].filter((id) => [stopped, running].includes(id)),
      cut: ['agents', 'databases'].map((kind) => valueOf(found, 'paddock_metrics_cut', { kind })),
    };
  };
  const many = { agents: 100, databases: 100 };
  assert.deepEqual((await told(many)).agents, [fresh, old, ended]);
  assert.deepEqual((await told({ ...many, agents: 2 })).agents, [fresh, old]);
  assert.deepEqual(
    [(await told({ ...many, agents: 2 })).cut, (await told({ agents: 3, databases: 1 })).cut, (await told(many)).cut],
    [
      [1, 0],
      [0, 1],
      [0, 0],
    ],
  );
  assert.ok((await told({ agents: 3, databases: 1 })).databases.every((id) => id === running));
});
