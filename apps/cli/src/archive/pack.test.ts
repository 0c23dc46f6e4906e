import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import yauzl from 'yauzl';
import { listFiles } from './list-files.ts';
import { packFiles } from './pack.ts';

test('the archive holds every file with its name, its bytes and whether it can be run', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-pack-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'run.sh'), '#!/bin/sh\n', { mode: 0o755 });
  writeFileSync(join(folder, 'ünï ☃.txt'), 'x'.repeat(100_000), { mode: 0o600 });
  const signal = AbortSignal.timeout(10_000);
  const { files } = await listFiles(folder, signal);
  const blob = await packFiles(files, () => undefined, signal);
  const found = await read(Buffer.from(await blob.arrayBuffer()));
  assert.deepEqual(found, { 'run.sh': ['755', 10], 'ünï ☃.txt': ['644', 100_000] });
});

test('a file that is gone when it is read ends the packing with its reason', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-pack-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'a.txt'), 'x');
  const signal = AbortSignal.timeout(10_000);
  const { files } = await listFiles(folder, signal);
  rmSync(join(folder, 'a.txt'));
  await assert.rejects(
    packFiles(files, () => undefined, signal),
    /could not be read.*ENOENT/,
  );
});

function read(bytes: Buffer): Promise<Record<string, [mode: string, size: number]>> {
  return new Promise((resolve, reject) => {
    yauzl.fromBuffer(bytes, { lazyEntries: false }, (error, zip) => {
      if (!zip) return reject(error ?? new Error('no archive'));
      const entries: Record<string, [string, number]> = {};
      zip.on('entry', (entry: yauzl.Entry) => {
        entries[entry.fileName] = [((entry.externalFileAttributes >>> 16) & 0o777).toString(8), entry.uncompressedSize];
      });
      zip.on('end', () => resolve(entries));
      zip.on('error', reject);
    });
  });
}
