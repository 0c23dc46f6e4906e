import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTimeline, type Move, uptime, within } from './uptime.ts';

/** Transitions of deployments: [second, deployment, from, to, why]. */
const moves = (...rows: [number, string, string | null, string, string][]): Move[] =>
  rows.map(([s, deployment_id, from_status, to_status, why]) => ({ deployment_id, from_status, to_status, why, at: new Date(s * 1000) }));
const started = (s: number, id: string) =>
  moves(
    [s, id, null, 'queued', 'created'],
    [s + 1, id, 'queued', 'building', 'started_building'],
    [s + 2, id, 'building', 'deploying', 'built'],
  );
const ready = (s: number, id: string) => moves([s, id, 'deploying', 'active', 'ready']);
const seconds = (all: Move[], now: number, from = 0) => {
  const timeline = buildTimeline(all, now * 1000);
  const span = { from: from * 1000, to: now * 1000 };
  const { up_ms, wanted_ms } = uptime(timeline, span);
  return { up: up_ms / 1000, wanted: wanted_ms / 1000, running: within(timeline.running, span) / 1000 };
};

test('uptime counts from the first moment at which an agent could answer', () => {
  assert.deepEqual(seconds([...started(10, 'a')], 100), { up: 0, wanted: 0, running: 88 });
  assert.deepEqual(seconds([...started(10, 'a'), ...ready(20, 'a')], 100), { up: 80, wanted: 80, running: 88 });
  assert.deepEqual(seconds([...started(10, 'a'), ...ready(20, 'a')], 100, 50), { up: 50, wanted: 50, running: 50 }, 'within the range');
});

test('the time between a crash and the next ready is downtime, and nobody pays for it', () => {
  for (const why of ['crashed', 'out_of_memory', 'lost', 'node_died']) {
    const all = [
      ...started(0, 'a'),
      ...ready(10, 'a'),
      ...moves([40, 'a', 'active', 'active', why], [60, 'a', 'active', 'active', 'ready']),
    ];
    assert.deepEqual(seconds(all, 110), { up: 80, wanted: 100, running: 88 }, why);
  }
});

test('a failed agent is down until another one serves; a stopped one, and a job that is done, are not meant to answer', () => {
  const failed = [...started(0, 'a'), ...ready(10, 'a'), ...moves([30, 'a', 'active', 'failed', 'failed'])];
  assert.deepEqual(seconds(failed, 60), { up: 20, wanted: 50, running: 28 });
  assert.deepEqual(seconds([...failed, ...started(60, 'b'), ...ready(70, 'b')], 90), { up: 40, wanted: 80, running: 56 });
  for (const [to, why] of [
    ['stopped', 'stopped'],
    ['completed', 'completed'],
  ] as const) {
    const over = [...started(0, 'a'), ...ready(10, 'a'), ...moves([30, 'a', 'active', to, why])];
    assert.deepEqual(seconds(over, 90), { up: 20, wanted: 20, running: 28 }, why);
    assert.deepEqual(seconds([...over, ...started(90, 'b'), ...ready(95, 'b')], 100), { up: 25, wanted: 25, running: 36 }, why);
  }
});

test('a new deployment is no downtime, also if it fails, and one that comes back serves again', () => {
  const first = [...started(0, 'a'), ...ready(10, 'a')];
  const swap = moves([50, 'a', 'active', 'stopped', 'replaced'], [51, 'b', 'deploying', 'active', 'ready']);
  assert.deepEqual(seconds([...first, ...started(40, 'b'), ...swap], 110), { up: 100, wanted: 100, running: 48 + 68 });
  const broken = moves([45, 'b', 'deploying', 'failed', 'failed']);
  assert.deepEqual(seconds([...first, ...started(40, 'b'), ...broken], 110), { up: 100, wanted: 100, running: 108 + 3 });
  const back = moves([60, 'b', 'active', 'failed', 'failed'], [60, 'a', 'stopped', 'active', 'came_back']);
  assert.deepEqual(seconds([...first, ...started(40, 'b'), ...swap, ...back], 110).up, 100);
});
