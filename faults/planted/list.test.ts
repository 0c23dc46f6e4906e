import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../scripts/program.ts';
import { allFaults } from '../all.ts';
import { bugs } from './list.ts';
import { occurrences } from './try-bug.ts';

test('every planted bug finds its line exactly once, changes it, and names a test that is there', async () => {
  // A table makes these tests.
  const shortFaults = (await allFaults()).filter(({ short }) => short).map(({ fault }) => fault);
  const wrong = bugs.flatMap(({ bug, file, from, to, caught_by }) => {
    const count = occurrences(readFileSync(join(ROOT, file), 'utf8'), from);
    const tests = readFileSync(join(ROOT, caught_by.file), 'utf8');
    const names = [...tests.matchAll(/test\(\s*(['"`])((?:\\.|(?!\1|\$\{)[^\\])*)(\1|\$\{)/g)];
    // A test whose name is completed from a table of cases is matched by the constant beginning of its name.
    const isFault = caught_by.file.startsWith('faults/short/') && shortFaults.some((name) => name.startsWith(caught_by.test));
    const isThere =
      isFault ||
      names.some(([, , name = '', end]) =>
        end === '${' ? caught_by.test.startsWith(name) && name !== '' : name.replaceAll("\\'", "'").startsWith(caught_by.test),
      );
    return [
      ...(count === 1 ? [] : [`"${bug}": its line stands ${count} times in ${file}`]),
      ...(from === to || from.includes('\n') ? [`"${bug}" is not a change of one line`] : []),
      ...(isThere ? [] : [`"${bug}": ${caught_by.file} has no test "${caught_by.test}"`]),
    ];
  });
  assert.deepEqual(wrong, []);
  assert.ok(bugs.length >= 15);
});
