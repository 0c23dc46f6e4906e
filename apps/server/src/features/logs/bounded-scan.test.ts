import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApi } from '../../../test/server.ts';
import { createBoundedScan } from './bounded-scan.ts';

test('a look that takes longer than the time that is left ends without a result, and the first one is never cut short', async (t) => {
  const { sql } = await startApi(t);
  const hurried = createBoundedScan(sql, 0, 'needle');
  assert.equal(await hurried.at(async (tx) => (await tx`select 'found', pg_sleep(0.2)`).length), 1);
  assert.equal(await hurried.at(async () => 'looked at all the same'), undefined);
  const patient = createBoundedScan(sql, 3_000, 'needle');
  assert.equal(await patient.at(async (tx) => (await tx`select 1`).length), 1);
  assert.equal(await patient.at(async (tx) => (await tx`select pg_sleep(25)`).length), undefined);
  const [after] = await sql<[{ statement_timeout: string }]>`show statement_timeout`;
  assert.equal(after.statement_timeout, '30s');
});

test('stretches begin small, grow while they are quick, and shrink when lines are costly', async (t) => {
  const { sql } = await startApi(t);
  const few = createBoundedScan(sql, 60_000, 'needle');
  const sizes = [few.size()];
  for (const seconds of [0, 0, 2]) {
    await few.at((tx) => tx`select pg_sleep(${seconds})`);
    sizes.push(few.size());
  }
  assert.equal(sizes[0], 200);
  assert.ok(sizes[2]! > 200 && sizes[2]! <= 5_000, String(sizes));
  assert.ok(sizes[3]! < sizes[2]!, String(sizes));
});
