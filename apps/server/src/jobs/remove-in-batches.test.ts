// Sweeps: many old rows are removed a batch at a time, each within the time limit of a statement.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyDatabase } from '../../test/postgres.ts';
import { connect } from '../db/connect.ts';
import { removeInBatches } from './remove-in-batches.ts';

test('rows that one statement cannot remove within its time limit are removed in batches', async (t) => {
  const { url, drop } = await emptyDatabase();
  const sql = connect(url, { statementMs: 1_000 });
  t.after(async () => {
    await sql.end();
    await drop();
  });
  await sql`create table slow_rows (id int primary key)`;
  await sql`create function wait_a_little() returns trigger language plpgsql as $$ begin perform pg_sleep(0.02); return old; end $$`;
  await sql`create trigger slow before delete on slow_rows for each row execute function wait_a_little()`;
  await sql`insert into slow_rows select generate_series(1, 100)`;
  const remove = (rows: number) => sql`
    delete from slow_rows
    where ctid = any(array(
      select ctid
      from slow_rows
      where id <= 95
      limit ${rows}
    ))`;
  await assert.rejects(async () => void (await remove(100)), { code: '57014' });
  assert.equal(await removeInBatches(remove, { rows: 5 }), 95);
  assert.deepEqual(
    (await sql<{ id: number }[]>`select id from slow_rows order by id`).map(({ id }) => id),
    [96, 97, 98, 99, 100],
  );
});

test('a sweep that is told to end begins no further batch', async () => {
  const closing = new AbortController();
  let batches = 0;
  const remove = async () => {
    batches += 1;
    if (batches === 2) closing.abort();
    return { count: 10 };
  };
  assert.equal(await removeInBatches(remove, { rows: 10, signal: closing.signal }), 20);
});

test('a sweep that is never done leaves the rest to the next turn', async () => {
  assert.equal(await removeInBatches(async () => ({ count: 1 }), { rows: 1 }), 200);
});
