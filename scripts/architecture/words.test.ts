import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSources, type Source } from './sources.ts';
import { wordRules } from './words.ts';

const sources = readSources().filter(({ path }) => !path.startsWith('scripts/architecture/words'));

for (const { what, instead, atMost, find } of wordRules)
  test(`the number of places with ${what} only falls`, () => {
    const places = sources.flatMap(find);
    assert.ok(places.length <= atMost, `${places.length} instead of ${atMost}; write ${instead}:\n${places.join('\n')}`);
    assert.equal(places.length, atMost, `only ${places.length} are left: lower atMost in words.ts`);
  });

test('each form is noticed where it stands, and its replacement is not', () => {
  const found = (path: string, text: string) => wordRules.map(({ find }) => find({ path, text, imports: [] } satisfies Source).length);
  assert.deepEqual(
    found(
      'apps/x/src/found.ts',
      '/** What comes meanwhile waits. */\nexport const handling = () => 1;\ninterface Given {}\nconst mostRows = 3;\nrun(); // Of rows\n',
    ),
    [2, 1, 1, 1, 1, 0],
  );
  assert.deepEqual(
    found('apps/x/src/outbox.ts', '/** Rows wait. */\nexport const signingKey = 1;\ninterface Deps {}\nconst maxRows = 3;\n'),
    [0, 0, 0, 0, 0, 0],
  );
});

test('a long function named …Of is noticed in each form; a projection and a call are not', () => {
  const rule = wordRules.find(({ what }) => what.includes('…Of'));
  const found = (text: string) => rule?.find({ path: 'apps/x/src/amounts.ts', text, imports: [] }).length;
  const body = '\n  const cents = read(row);\n\n  return cents / 100;\n}';
  assert.equal(found(`export async function amountOf(row: Row): Promise<number> {${body}\n`), 1);
  assert.equal(found(`function amountOf(\n  row: Row,\n): number {\n  return row.cents / 100;\n}\n`), 1);
  assert.equal(found(`const amountOf = (row: Row) => {${body};\n`), 1);
  assert.equal(found('const rowsOf = (id: string) =>\n  read(id)\n    .filter(isOpen)\n    .map(toRow);\n'), 1);
  assert.equal(found('class Bill {\n  #amountOf(row: Row) {\n    const cents = read(row);\n    return cents / 100;\n  }\n}\n'), 1);
  assert.equal(found('const store = {\n  rowsOf: (id: string) => sql`\n    select *\n    from rows`,\n    with: id,\n};\n'), 1);
  assert.equal(found('function amountOf(row: Row) {\n  return row.cents / 100;\n}\n\nconst next = 1;\n'), 0);
  assert.equal(found('const amountOf = (row: Row) =>\n  row.cents / 100;\n\nconst next = 1;\nconst more = 2;\n'), 0);
  assert.equal(found('  rowOf(call, {\n    id: 1,\n    name: 2,\n  });\n'), 0);
});
