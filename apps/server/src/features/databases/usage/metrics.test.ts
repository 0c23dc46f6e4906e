import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { databases as contract, metricsPoints, metricsRanges, metricsSeconds } from '@paddock/contract';
import type { DatabaseFigures } from '@paddock/database-driver';
import * as z from 'zod';
import { calledBy, databaseRows, type Rows } from '../../../../test/database-rows.ts';
import { atEnd } from '../../../../test/postgres.ts';
import { metricsHandlers } from './metrics.ts';
import { samplesStore } from './samples-store.ts';
import { createSampler, since } from './sampling.ts';

let rows: Rows;
before(async () => {
  rows = await databaseRows({ after: atEnd });
});

const now = new Date('2026-11-21T12:34:56.789Z');
type Columns = Partial<
  Record<'size_bytes' | 'memory_bytes' | 'connections' | 'transactions' | 'cache_hits' | 'cache_reads' | 'keys' | 'evictions', number>
>;
const add = (database_id: string, at: string, columns: Columns) =>
  rows.sql`insert into database_samples ${rows.sql({ database_id, at, ...columns })}`;
const asked = async (who: Parameters<typeof calledBy>[0], id: string, time_range: (typeof metricsRanges)[number]) =>
  z.parse(contract.metrics.output, await metricsHandlers(samplesStore(rows.sql), () => now).metrics({ id, time_range }, calledBy(who)));
const nothing = {
  ...{ size_bytes: null, memory_bytes: null, connections: null, transactions: null },
  ...{ cache_hit_ratio: null, keys: null, evictions: null },
};

test('each range has its points, aligned, with the step of now at its end and nulls where nothing was measured', async () => {
  const ada = await rows.team();
  const id = await rows.row(ada);
  for (const range of metricsRanges) {
    const { points, step_s } = await asked(ada, id, range);
    assert.deepEqual([points.length, step_s], [metricsPoints[range], metricsSeconds[range] / metricsPoints[range]], range);
    for (const [index, point] of points.entries()) {
      assert.equal(Date.parse(point.at) % (step_s * 1000), 0);
      if (index > 0) assert.equal(Date.parse(point.at) - Date.parse(points[index - 1]!.at), step_s * 1000);
      assert.deepEqual(point, { at: point.at, ...nothing });
    }
    const end = Date.parse(points.at(-1)!.at);
    assert.ok(end <= now.getTime() && now.getTime() < end + step_s * 1000);
  }
});

test('of a step counts are summed, gauges averaged, the last size is told, and the hit ratio is that of all reads', async () => {
  const ada = await rows.team();
  const id = await rows.row(ada);
  // The half hour from 12:00: three minutes with figures, one of them without counts, and one without any row.
  const gauges = { memory_bytes: 100, connections: 1, keys: 10 };
  await add(id, '2026-11-21T12:00:00Z', { ...gauges, size_bytes: 1000, transactions: 5, cache_hits: 90, cache_reads: 10, evictions: 0 });
  await add(id, '2026-11-21T12:01:00Z', { size_bytes: 3000, memory_bytes: 200, connections: 2, keys: 20 });
  await add(id, '2026-11-21T12:29:00Z', {
    size_bytes: 2000,
    memory_bytes: 300,
    connections: 6,
    keys: 60,
    transactions: 7,
    cache_hits: 0,
    cache_reads: 100,
    evictions: 4,
  });
  // The next half hour includes its first moment.
  await add(id, '2026-11-21T12:30:00Z', { size_bytes: 9, memory_bytes: 9, connections: 9, transactions: 9, cache_hits: 0, cache_reads: 0 });
  // Just outside of 24 hours of steps, and its first minute.
  await add(id, '2026-11-20T12:59:00Z', { size_bytes: 1 });
  await add(id, '2026-11-20T13:00:00Z', { size_bytes: 2 });
  const { points } = await asked(ada, id, '24h');
  assert.deepEqual(points.at(-2), {
    at: '2026-11-21T12:00:00.000Z',
    ...{ size_bytes: 2000, memory_bytes: 200, connections: 3, keys: 30, transactions: 12, cache_hit_ratio: 0.45, evictions: 4 },
  });
  assert.deepEqual(points.at(-1), {
    at: '2026-11-21T12:30:00.000Z',
    ...{ size_bytes: 9, memory_bytes: 9, connections: 9, keys: null, transactions: 9, cache_hit_ratio: null, evictions: null },
  });
  assert.deepEqual(points[0], { at: '2026-11-20T13:00:00.000Z', ...nothing, size_bytes: 2 });
  assert.equal(points.filter((point) => point.size_bytes !== null).length, 3);
  const hour = await asked(ada, id, '1h');
  assert.deepEqual(
    hour.points.filter((point) => point.size_bytes !== null).map(({ at, size_bytes }) => [at, size_bytes]),
    [
      ['2026-11-21T12:00:00.000Z', 1000],
      ['2026-11-21T12:01:00.000Z', 3000],
      ['2026-11-21T12:29:00.000Z', 2000],
      ['2026-11-21T12:30:00.000Z', 9],
    ],
  );
});

test("another team's database, and one that Paddock does not run, have no metrics", async () => {
  const [ada, bob] = [await rows.team(), await rows.team()];
  await assert.rejects(asked(bob, await rows.row(ada), '24h'), { code: 'database_not_found' });
  await assert.rejects(asked(ada, await rows.row(ada, { mode: 'byo', node: null }), '24h'), { code: 'database_not_managed' });
});

const figures: DatabaseFigures = {
  ...{
    size_bytes: 1,
    memory_bytes: 2,
    connections: 3,
    transactions: 100,
    cache_hits: 50,
    cache_reads: 5,
    keys: null,
    evictions: null,
    started_ms: 1_000_000,
  },
};

test('counts are what happened since the sample before, also when the server began anew in between', () => {
  const first = { at_ms: 2_000_000, figures };
  const later = { at_ms: 2_060_000, figures: { ...figures, transactions: 130, cache_hits: 51 } };
  assert.deepEqual(since(first, later), {
    size_bytes: 1,
    memory_bytes: 2,
    connections: 3,
    transactions: 30,
    cache_hits: 1,
    cache_reads: 0,
    keys: null,
    evictions: null,
  });
  const restarted = { at_ms: 2_060_000, figures: { ...figures, transactions: 7, started_ms: 2_030_000 } };
  assert.equal(since(first, restarted).transactions, 7, 'all that the new one counted');
  const unknown = since(undefined, first);
  assert.deepEqual([unknown.transactions, unknown.cache_hits, unknown.size_bytes], [null, null, 1], 'nobody can tell when that happened');
  assert.equal(since(undefined, { at_ms: 1_060_000, figures }).transactions, 100, 'unless the server is younger than that');
  assert.equal(
    since({ at_ms: 1, figures: { ...figures, evictions: 4 } }, { at_ms: 2, figures: { ...figures, evictions: 9 } }).evictions,
    5,
  );
});

test('a measurement is stored once a minute, and one that is not answered leaves a gap', async () => {
  const ada = await rows.team();
  const id = await rows.row(ada);
  let answers = true;
  let transactions = 100;
  const measured = createSampler(
    {
      measure: async () => (answers ? { ...figures, transactions: (transactions += 10) } : Promise.reject(new Error('it did not answer'))),
    },
    samplesStore(rows.sql),
  );
  const live = { row: { id }, spec: {}, address: {} } as unknown as Parameters<typeof measured.measure>[0];
  await measured.measure(live, true);
  await measured.measure(live, false);
  await measured.measure(live, true);
  answers = false;
  await assert.rejects(measured.measure(live, true), /did not answer/);
  const [row] = await rows.sql<{ n: number; transactions: number; size: number }[]>`
    select
      count(*)::int as n,
      sum(transactions)::int as transactions,
      (
        select size_bytes
        from databases
        where id = ${id}
      )::int as size
    from database_samples
    where database_id = ${id}
      and date_trunc('minute', at) = at
    having count(*) > 0`;
  // A minute may end between the two samples; together they count the same.
  assert.ok(row && row.n <= 2);
  assert.deepEqual([row.transactions, row.size], [20, 1]);
});

test('measurements are kept for 30 days', async () => {
  const ada = await rows.team();
  const id = await rows.row(ada);
  const days = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString();
  for (const age of [0, 29, 30, 31, 60]) await add(id, days(age), { size_bytes: age });
  await samplesStore(rows.sql).sweep();
  const left = await rows.sql<{ size_bytes: number }[]>`select size_bytes from database_samples where database_id = ${id} order by at desc`;
  assert.deepEqual(
    left.map(({ size_bytes }) => size_bytes),
    [0, 29, 30],
  );
});
