// SQL is read clause by clause: a query with more than two clauses has one clause a line. The same holds for nested queries.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTest, readSources } from './sources.ts';
import { crowdedQueries } from './sql.ts';

test('a query with more than two clauses has at most one of them per line', () => {
  const own = readSources().filter((source) => /^apps\/server\/src\/.*\.ts$/.test(source.path) && !isTest(source));
  assert.deepEqual(
    own.flatMap(({ path, text }) => crowdedQueries(text).map(({ line, clauses }) => `${path}:${line} has ${clauses} on one line`)),
    [],
  );
});

test('two clauses may share a line, a third begins one of its own', () => {
  const inOneLine = (query: string) => crowdedQueries(`const rows = sql<Row[]>\`${query}\`;`).length === 0;
  assert.ok(inOneLine('delete from sessions where id = ${id}'));
  assert.ok(!inOneLine('select 1 from sessions where id = ${id}'));
  assert.ok(!inOneLine('update mails set sent_at = now() where id = ${id}'));
  assert.ok(inOneLine('\n  select 1\n  from sessions\n  where id = ${id}\n    and token = ${token}'));
});

test('nested queries count, and words that only look like clauses do not', () => {
  const good = `
    with made as (
      insert into users (id)
      values (\${id})
      on conflict (id) do update
      set seen_at = now()
      returning id
    )
    select m.id, extract(epoch from now()) as now, row_number() over (partition by m.team order by m.id) as place
    from made m
    join unnest(\${ids}::text[]) with ordinality as given (id, place) on given.id = m.id and given.place > 0
    where m.a is distinct from m.b
      and m.c between 1 and 2
      and (m.d or (m.e and m.f))
      and exists (
        select 1
        from teams
      )
    for update`;
  assert.deepEqual(crowdedQueries(`tx\`${good}\``), []);
  const nested = good.replace(/select 1\s+from teams/, 'select 1 from teams');
  assert.deepEqual(crowdedQueries(`tx\`${nested}\``), [{ line: 16, clauses: 'select, from' }]);
});
