import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { dayMs } from '@paddock/contract/time';
import { deploymentIn } from '../../../test/rows.ts';
import { startApi } from '../../../test/server.ts';
import type { NewLine } from './append.ts';
import type { Level } from './line-sql.ts';
import { dropOldPartitions, makePartitions } from './retention.ts';
import { searchStore } from './search-store.ts';
import { logStore } from './store.ts';

const line = (message: string, level: Level = 'info', at = Date.now()): NewLine => ({
  level,
  source: 'agent',
  message,
  created_at: new Date(at).toISOString(),
});

async function scene(t: TestContext) {
  const api = await startApi(t);
  const { sql, team_id, deployment_id: id } = await deploymentIn(api);
  const store = logStore(sql);
  return { api, sql, id, team_id, store, write: (lines: NewLine[]) => store.append(team_id, id, { lines }) };
}

/** 5,500 lines with one error in line 17. */
const manyLines = (level: Level = 'info') =>
  Array.from({ length: 5_500 }, (_, n) => (n === 16 ? line('ERROR: the Needle of line 17', 'error') : line(`tick ${n + 1}`, level)));

test('the one error far back in a long log is found and counted', async (t) => {
  const { store, id, team_id, write } = await scene(t);
  for (let n = 0; n < 5_500; n += 500) await write(manyLines().slice(n, n + 500));
  assert.deepEqual(await store.counts(id), {
    total: 5_500,
    levels: { debug: 0, info: 5_499, warning: 0, error: 1 },
    last_number: 5_500,
    is_complete: true,
    counted_from: null,
  });
  assert.deepEqual((await store.counts(id, { search: 'NEEDLE' })).levels, { debug: 0, info: 0, warning: 0, error: 1 });
  const numbers = async (at: { after?: number; before?: number; limit: number }, filter: object) => {
    const { lines, searched_to } = await store.page(team_id, id, { ...at, ...filter });
    assert.equal(searched_to, null);
    return lines.map(({ number }) => number);
  };
  assert.deepEqual(await numbers({ limit: 100 }, { search: 'needle' }), [17]);
  assert.deepEqual(await numbers({ limit: 100 }, { levels: ['error', 'warning'] }), [17]);
  assert.deepEqual(await numbers({ limit: 100, before: 17 }, { levels: ['error'] }), []);
  assert.deepEqual(await numbers({ limit: 3 }, { search: 'TICK 5' }), [5498, 5499, 5500]);
  assert.deepEqual(await numbers({ limit: 3, before: 5498 }, { search: 'tick 5' }), [5495, 5496, 5497]);
  assert.deepEqual(await numbers({ limit: 2, after: 6 }, { search: 'tick 5' }), [50, 51]);
});

test('a search finds what the log shows: words with colours in them, and of a progress bar its last state; escapes are not found', async (t) => {
  const { store, id, team_id, write } = await scene(t);
  await write([
    line('\x1b[32mneedle\x1b[0mword'),
    line('see \x1b]8;;https://example.com/hidden\x1b\\the gu\x1b[1mide\x1b]8;;\x07 now'),
    line('10 % waiting\r100 % done\r'),
    line('plain \\1 text'),
  ]);
  const found = async (search: string) => (await store.page(team_id, id, { limit: 10, search })).lines.map(({ number }) => number);
  assert.deepEqual(await found('NeedleWord'), [1]);
  assert.deepEqual(await found('the guide now'), [2]);
  assert.deepEqual(await found('100 % done'), [3]);
  assert.deepEqual(await found('\\1 text'), [4]);
  for (const hidden of ['32m', 'hidden', 'waiting']) assert.deepEqual(await found(hidden), [], hidden);
  assert.equal((await store.counts(id, { search: 'needleword' })).levels.info, 1);
});

test('counts are those of the lines that are there, whatever is written, dropped, or written by the release before', async (t) => {
  const { sql, store, id, team_id, write } = await scene(t);
  const begun = Date.now() - 6 * dayMs;
  for (let n = 0; n <= 6; n++) await makePartitions(sql, begun + n * dayMs);
  const levels: Level[] = ['debug', 'info', 'warning', 'error'];
  const agree = async () => {
    const rows = await sql<{ level: Level; n: number }[]>`
      select level, count(*)::int as n from log_lines where deployment_id = ${id} group by 1`;
    const expected = Object.fromEntries(levels.map((level) => [level, rows.find((row) => row.level === level)?.n ?? 0]));
    for (const asked of ['once', 'again']) {
      const { levels: counted, is_complete } = await store.counts(id);
      assert.deepEqual({ ...counted }, expected, asked);
      assert.equal(is_complete, true);
    }
  };
  for (let n = 0; n <= 5; n++) {
    const at = begun + n * dayMs;
    await write(Array.from({ length: 40 + n }, (_, k) => line(`${n}.${k}`, levels[(n + k) % 4], at)));
    if (n === 2)
      await sql`
        with head as (
          update log_heads
          set last_number = last_number + 10, bounded_number = bounded_number + 10
          where deployment_id = ${id}
          returning last_number
        )
        insert into log_lines (deployment_id, team_id, number, level, source, message, created_at)
        select ${id}, ${team_id}, last_number - 10 + n, 'error', 'agent', 'old release', ${new Date(at).toISOString()}
        from head, generate_series(1, 10) n`;
    await agree();
  }
  assert.ok((await dropOldPartitions(sql, 4, Date.now())).length > 0);
  await agree();
  // A day dropped without correcting the counts, as on a full disk.
  const [name] = await sql<{ name: string }[]>`
    select tableoid::regclass::text as name
    from log_lines
    where deployment_id = ${id}
    order by number
    limit 1`;
  await sql.unsafe(`drop table ${name!.name}`);
  await agree();
  await write([line('after all', 'warning')]);
  await agree();
});

test('who searches a log that is too long for one look is told how far it came, and comes to all of it', async (t) => {
  const { sql, id, write } = await scene(t);
  for (let n = 0; n < 11_000; n += 1_000)
    await write(Array.from({ length: 1_000 }, (_, k) => line(`line ${n + k + 1}${(n + k) % 2_500 === 7 ? ' needle' : ''}`)));
  const hurried = searchStore(sql, 0);
  const found: number[] = [];
  for (let before = 20_000, looks = 0; ; looks += 1) {
    assert.ok(looks < 56); // 200 lines each
    const { lines, searched_to } = await hurried.findBefore(id, before, { limit: 100, search: 'needle' });
    found.unshift(...lines.map(({ number }) => number));
    if (searched_to === null) break;
    assert.ok(searched_to < before);
    before = searched_to;
  }
  assert.deepEqual(found, [8, 2508, 5008, 7508, 10_008]);
  let needles = 0;
  for (let before: number | undefined, looks = 0; ; looks += 1) {
    assert.ok(looks < 56);
    const { total, is_complete, counted_from } = await hurried.counts(id, { search: 'needle', before });
    needles += total;
    assert.equal(is_complete, counted_from === null);
    if (counted_from === null) break;
    assert.ok(counted_from < (before ?? 20_000));
    before = counted_from;
  }
  assert.equal(needles, 5);
});

test('a search looks at few lines first, since they may be slow to search, and always at these', async (t) => {
  const { sql, id, write } = await scene(t);
  await write(Array.from({ length: 1_000 }, (_, n) => line(`line ${n + 1}`)));
  const hurried = searchStore(sql, 0);
  assert.deepEqual(await hurried.findBefore(id, 20_000, { limit: 100, search: 'needle' }), { lines: [], searched_to: 801 });
  assert.deepEqual(await hurried.findAfter(id, 0, { limit: 100, search: 'needle' }), { lines: [], searched_to: 200 });
  assert.equal((await hurried.counts(id, { search: 'line' })).total, 200);
});

test('two who count at once after a day was dropped without its counts mend them once', async (t) => {
  const { sql, store, id, write } = await scene(t);
  await makePartitions(sql, Date.now() - 6 * dayMs);
  await write(Array.from({ length: 40 }, () => line('old', 'info', Date.now() - 6 * dayMs)));
  await write(Array.from({ length: 60 }, () => line('new')));
  const [name] = await sql<{ name: string }[]>`
    select tableoid::regclass::text as name
    from log_lines
    where deployment_id = ${id}
    order by number
    limit 1`;
  await sql.unsafe(`drop table ${name!.name}`);
  // The slow request has counted but not stored its counts when the other one does both and a line is written.
  const [counted, keep] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slowSql = new Proxy(sql, {
    get: (target, key) =>
      key === 'begin'
        ? async (work: Parameters<typeof sql.begin>[1]) => {
            counted.resolve();
            await keep.promise;
            return await target.begin(work);
          }
        : Reflect.get(target, key),
  });
  const slow = searchStore(slowSql).counts(id);
  await counted.promise;
  assert.equal((await store.counts(id)).total, 60);
  await write([line('newer')]);
  keep.resolve();
  assert.equal((await slow).total, 60);
  assert.equal((await store.counts(id)).total, 61);
  assert.deepEqual((await store.counts(id)).levels, { debug: 0, info: 61, warning: 0, error: 0 });
});

test('a log of which no line is left counts none', async (t) => {
  const { sql, store, id, write } = await scene(t);
  await write(manyLines().slice(0, 50));
  assert.equal((await store.counts(id)).total, 50);
  const [name] = await sql<{ name: string }[]>`
    select tableoid::regclass::text as name from log_lines where deployment_id = ${id} limit 1`;
  await sql.unsafe(`truncate ${name!.name}`);
  assert.equal((await store.counts(id)).total, 0);
  await write([line('after all', 'error')]);
  assert.deepEqual((await store.counts(id)).levels, { debug: 0, info: 0, warning: 0, error: 1 });
});
