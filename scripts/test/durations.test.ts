import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { COMMITTED, listTimes, longestFirst, readDurations, recordDurations, rememberDurations } from './durations.ts';
import { nodeTestFiles } from './files.ts';

function files(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-durations-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return { committed: join(folder, 'committed.json'), own: join(folder, 'new/own.json') };
}

test('the file that takes longest starts first, and those of which nothing is known keep their order at the end', () => {
  const order = longestFirst(['a', 'b', 'c', 'd'], { b: 5, d: 60 });
  assert.deepEqual(order, ['d', 'b', 'a', 'c']);
});

test('the last run on this machine counts before the committed list, which is enough on a new machine', (t) => {
  const { committed, own } = files(t);
  recordDurations(
    [
      { file: 'a', seconds: 40.4 },
      { file: 'b', seconds: 2.9 },
      { file: 'c', seconds: 10 },
    ],
    committed,
  );
  assert.deepEqual(JSON.parse(readFileSync(committed, 'utf8')), { a: 40, c: 10 }, 'rounded, and only those that matter');
  assert.deepEqual(readDurations(committed, own), { a: 40, c: 10 });
  rememberDurations(
    [
      { file: 'a', seconds: 3.14 },
      { file: 'b', seconds: 1 },
    ],
    own,
  );
  assert.deepEqual(readDurations(committed, own), { a: 3.1, b: 1, c: 10 });
  rememberDurations([{ file: 'b', seconds: 2 }], own);
  assert.deepEqual(readDurations(committed, own), { a: 3.1, b: 2, c: 10 }, 'a run of a few files forgets nothing of the others');
});

test('a list that was cut short costs the order, not the run', (t) => {
  const { committed, own } = files(t);
  writeFileSync(committed, '{"a": 4');
  rememberDurations([{ file: 'b', seconds: 2 }], own);
  assert.deepEqual(readDurations(committed, own), { b: 2 });
});

test('the list of times has every file, the one that took most processor time first', (t) => {
  const { own } = files(t);
  listTimes(
    [
      { file: 'a', seconds: 9 },
      { file: 'b', seconds: 1, cpu_seconds: 1 },
      { file: 'c', seconds: 2, cpu_seconds: 2 },
    ],
    own,
  );
  const listed = JSON.parse(readFileSync(own, 'utf8')) as { file: string }[];
  assert.deepEqual(
    listed.map(({ file }) => file),
    ['c', 'b', 'a'],
  );
});

test('the committed list can be read, and nearly all of its files are there', () => {
  const known = new Set(nodeTestFiles());
  const listed = Object.keys(readDurations(COMMITTED, 'nowhere')).filter((file) => !/^(?:apps\/console|e2e)\//.test(file));
  assert.ok(listed.length > 100, `${listed.length} files`);
  const missing = listed.filter((file) => !known.has(file));
  assert.ok(missing.length < listed.length / 5, `\`npm test -- --record\` renews the list, which knows of none of ${missing.join(', ')}`);
});
