import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupFiles } from './file-groups.ts';
import { nodeTestFiles, SENSITIVE_TO_LOAD } from './files.ts';

const short = { durations: {}, isLong: () => false };
const grouped = (files: string[], plan: Partial<Parameters<typeof groupFiles>[1]> = {}) =>
  groupFiles(files, { ...short, ...plan }).map((group) => group.files);

test('short files of one package run in one process, neighbours together, and what takes longest starts first', () => {
  const files = ['packages/pii/src/a.test.ts', 'apps/server/src/z.test.ts', 'apps/server/src/b.test.ts', 'apps/server/src/long.test.ts'];
  assert.deepEqual(grouped(files, { durations: { 'apps/server/src/long.test.ts': 60 } }), [
    ['apps/server/src/long.test.ts'],
    ['apps/server/src/b.test.ts', 'apps/server/src/z.test.ts'],
    ['packages/pii/src/a.test.ts'],
  ]);
});

test('a group ends before it takes too long', () => {
  const files = Array.from({ length: 10 }, (_, at) => `apps/server/src/${at}.test.ts`);
  const durations = Object.fromEntries(files.map((file) => [file, 14]));
  assert.deepEqual(
    grouped(files, { durations }).map(({ length }) => length),
    [3, 3, 3, 1],
  );
});

test('what starts servers and attacks them, and a file in its long size, has a process of its own', () => {
  const files = ['faults/a.test.ts', 'faults/b.test.ts', 'packages/pii/src/a.test.ts', 'packages/pii/src/b.test.ts'];
  assert.equal(grouped(files, { isLong: (file) => file.endsWith('pii/src/b.test.ts') }).length, 4);
});

test('a test that other work would disturb starts after all others, however long it takes, and alone', () => {
  const [slow, weights] = ['attacks/slow.test.ts', 'packages/runtime/src/process/limits/weights.test.ts'];
  const files = [slow, weights, 'packages/runtime/src/a.test.ts', 'packages/runtime/src/b.test.ts'];
  assert.deepEqual(grouped(files, { durations: { [slow]: 99 } }), [
    ['packages/runtime/src/a.test.ts', 'packages/runtime/src/b.test.ts'],
    [slow],
    [weights],
  ]);
});

test('no file is lost or runs twice, whatever the list of durations says', () => {
  const files = nodeTestFiles();
  const durations = Object.fromEntries(files.map((file, at) => [file, (at * 7) % 40]));
  assert.deepEqual(grouped(files, { durations }).flat().toSorted(), files.toSorted());
});

test('each test that other work would disturb is there under the name that the list gives', () => {
  assert.deepEqual(
    SENSITIVE_TO_LOAD.filter((file) => !nodeTestFiles().includes(file)),
    [],
  );
});
