import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { databaseRows, type Rows } from '../../../test/database-rows.ts';
import { metricsRows } from '../../../test/metrics-rows.ts';
import { atEnd } from '../../../test/postgres.ts';
import { usageSampling } from './sampling.ts';
import { buildSpan } from './span.ts';
import { usageStore } from './usage-store.ts';

let rows: Rows;
before(async () => {
  rows = await databaseRows({ after: atEnd });
});

const MB = 1024 ** 2;

/** A machine whose instances have the resource usage that the test sets. */
function machine() {
  const loads = new Map<string, { deployment_id: string; cpu_ms: number; memory_bytes: number; state: 'running' | 'exited' }>();
  const driver = {
    list: async () =>
      [...loads].map(([id, { deployment_id, state }]) => ({
        id,
        deployment_id,
        state,
        generation: 1,
        started_at: '2026-01-01T00:00:00.000Z',
      })),
    load: async (id: string) => {
      const load = loads.get(id);
      if (!load || load.cpu_ms < 0) throw new Error('it has ended');
      return { ...load, processes: 1 };
    },
  };
  return { loads, driver };
}

test('processor time counts from look to look against what the agent may use, memory is the most of the minute', async () => {
  const ada = await rows.team();
  const id = await metricsRows(rows).deployment(ada, { at: new Date() });
  const { loads, driver } = machine();
  const store = usageStore(rows.sql);
  const sampling = usageSampling({ driver, store, limits: { cpus: 2, memory_mb: 512 }, log: { warn: assert.fail } });
  const set = (cpu_ms: number, mb: number) => loads.set('ins-1', { deployment_id: id, cpu_ms, memory_bytes: mb * MB, state: 'running' });
  set(60_000, 100);
  await sampling.look(() => 0);
  assert.equal((await store.latest(id))?.cpu_share, 0, 'what it used before the first look happened at other times');
  set(65_000, 300);
  await sampling.look(() => 10_000);
  set(65_000, 200);
  await sampling.look(() => 20_000);
  // 5 s of 40 s that two cores have in 20 s.
  const expected = { cpu_share: 0.125, memory_bytes: 300 * MB, memory_limit_bytes: 512 * MB };
  // The test may cross into the next minute.
  const steps = await store.of([id], buildSpan('24h', new Date()));
  assert.deepEqual(
    steps.map(({ cpu_share, memory_bytes, memory_limit_bytes }) => ({ cpu_share, memory_bytes, memory_limit_bytes })),
    [expected],
  );
});

test('two instances of a deployment add up, and what ends or is new is no reason to stop', async () => {
  const ada = await rows.team();
  const id = await metricsRows(rows).deployment(ada, { at: new Date() });
  const { loads, driver } = machine();
  const written: { deployment_id: string; cpu_ms: number; measured_ms: number }[][] = [];
  let told = 0;
  const sampling = usageSampling({
    driver,
    store: { add: (async (looks: never) => written.push(looks)) as never },
    limits: { cpus: 1, memory_mb: 64 },
    log: { warn: () => void (told += 1) },
  });
  const set = (name: string, cpu_ms: number, state: 'running' | 'exited' = 'running') =>
    loads.set(name, { deployment_id: id, cpu_ms, memory_bytes: MB, state });
  set('old', 1000);
  set('ending', -1);
  set('ended', 9000, 'exited');
  await sampling.look(() => 0);
  set('old', 1500);
  set('new', 50);
  await sampling.look(() => 10_000);
  set('old', 1400);
  set('new', 250);
  await sampling.look(() => 20_000);
  assert.deepEqual(
    written.map((looks) => looks.map(({ cpu_ms, measured_ms }) => [cpu_ms, measured_ms])),
    [
      [[0, 0]],
      [
        [500, 10_000],
        [0, 0],
      ],
      [
        [0, 10_000],
        [200, 10_000],
      ],
    ],
    'a count that falls is no negative time',
  );
  assert.equal(told, 1, 'one that runs and cannot be looked at is told once');
  loads.clear();
  await sampling.look(() => 30_000);
  assert.equal(written.length, 3, 'nothing is written of nothing');
});
