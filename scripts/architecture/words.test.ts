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
    [2, 1, 1, 1, 1],
  );
  assert.deepEqual(
    found('apps/x/src/outbox.ts', '/** Rows wait. */\nexport const signingKey = 1;\ninterface Deps {}\nconst maxRows = 3;\n'),
    [0, 0, 0, 0, 0],
  );
});
