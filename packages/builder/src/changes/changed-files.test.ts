import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { home } from '../../test/try-unpack.ts';
import { type Entry, writeZip } from '../../test/write-zip.ts';
import { changedFiles } from './changed-files.ts';
import { maxListed } from './diff-entries.ts';

let count = 0;
const zip = (bytes: Buffer) => {
  const path = join(home, `changes-${count++}.zip`);
  writeFileSync(path, bytes);
  return path;
};
const compare = (before: Entry[], after: Entry[]) =>
  changedFiles({ before: zip(writeZip(before)), after: zip(writeZip(after)) }, AbortSignal.timeout(60_000));

test('files that were added, removed or changed are told by path with their sizes, whatever the folder around them is called', async () => {
  const found = await compare(
    [
      { name: 'desk-1/main.py', data: 'print(1)\n' },
      { name: 'desk-1/same.txt', data: 'same' },
      { name: 'desk-1/gone.txt', data: 'gone' },
      { name: 'desk-1/run.sh', data: 'true\n', mode: 0o100644 },
      { name: 'desk-1/.DS_Store', data: 'x' },
    ],
    [
      { name: 'main.py', data: 'print(22)\n' },
      { name: 'same.txt', data: 'same', method: 0 },
      { name: 'new/a.txt', data: 'a' },
      { name: 'run.sh', data: 'true\n', mode: 0o100755 },
    ],
  );
  assert.deepEqual(found, {
    added: 1,
    removed: 1,
    changed: 2,
    unchanged: 1,
    list: [
      { path: 'gone.txt', change: 'removed', bytes: null, bytes_before: 4 },
      { path: 'main.py', change: 'changed', bytes: 10, bytes_before: 9 },
      { path: 'new/a.txt', change: 'added', bytes: 1, bytes_before: null },
      { path: 'run.sh', change: 'changed', bytes: 5, bytes_before: 5 },
    ],
  });
});

test('the list is bounded, the counts are not', async () => {
  const many = Array.from({ length: maxListed + 5 }, (_, n) => ({ name: `f${n}.txt`, data: String(n) }));
  const found = await compare([{ name: 'f0.txt', data: '0' }], many);
  assert.deepEqual([found?.added, found?.unchanged, found?.list.length], [maxListed + 4, 1, maxListed]);
});

test('nothing is told of an archive that is gone or that is refused', async () => {
  const good = zip(writeZip([{ name: 'main.py', data: 'x' }]));
  const signal = AbortSignal.timeout(60_000);
  assert.equal(await changedFiles({ before: join(home, 'none.zip'), after: good }, signal), null);
  assert.equal(await changedFiles({ before: zip(writeZip([{ name: '../out.py', data: 'x' }])), after: good }, signal), null);
  assert.equal(await changedFiles({ before: good, after: zip(Buffer.from('PK no archive')) }, signal), null);
});
