import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { archiveLimits } from '@paddock/contract/limits';
import * as fc from 'fast-check';
import { home, tryUnpack } from '../../test/try-unpack.ts';
import { writeZip } from '../../test/write-zip.ts';
import { BuildError } from '../build-error.ts';

test('large files are streamed, whole and one after the other', async () => {
  const big = Buffer.alloc(40 * 1024 ** 2);
  for (let i = 0; i < big.length; i += 64) big.writeUInt32LE((i * 2654435761) >>> 0, i);
  const { dest, error } = await tryUnpack(
    writeZip([
      { name: 'big.bin', data: big },
      { name: 'stored.bin', data: big, method: 0 },
      { name: 'bigger.bin', data: big },
    ]),
  );
  assert.equal(error, undefined);
  for (const name of ['big.bin', 'stored.bin', 'bigger.bin']) assert.ok(readFileSync(join(dest, name)).equals(big));
});

test('an aborted unpacking leaves nothing', async () => {
  const files = Array.from({ length: 3000 }, (_, i) => ({ name: `f${i}`, data: `file ${i}` }));
  const stop = new AbortController();
  const pending = tryUnpack(writeZip(files), archiveLimits, stop.signal);
  setImmediate(() => stop.abort(new Error('cancelled')));
  const { error } = await pending;
  assert.equal(error?.message, 'cancelled');
});

test('whatever the names and however the bytes are changed, nothing appears outside of the destination', async () => {
  const part = fc.oneof(
    fc.constantFrom('..', '.', '', 'a', 'A', '~', 'con', '\\', '-rf', '%2e%2e', '..%2f', '\u202e'),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
  );
  const name = fc
    .array(part, { minLength: 1, maxLength: 6 })
    .map((p) => p.join('/'))
    .filter((n) => n.length > 0);
  const flips = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(fc.array(name, { minLength: 1, maxLength: 4 }), flips, async (names, changes) => {
      const zip = writeZip(names.map((n) => ({ name: n, data: `content of ${n}` })));
      for (const [at, value] of changes) zip[at % zip.length] = value;
      const { error, dest } = await tryUnpack(zip);
      if (error !== undefined) assert.ok(error instanceof BuildError, String(error));
      else for (const file of readdirSync(dest, { recursive: true, withFileTypes: true })) assert.ok(file.isFile() || file.isDirectory());
    }),
    { numRuns: 60 },
  );
});

test('a disk that fills up while unpacking is told as such and leaves nothing', {
  skip: process.getuid?.() !== 0 && 'needs to mount a small disk',
}, () => {
  const box = join(home, 'full');
  mkdirSync(box);
  writeFileSync(
    join(home, 'full.zip'),
    writeZip([
      { name: 'a', data: Buffer.alloc(900_000, 'x'), method: 0 },
      { name: 'b', data: Buffer.alloc(900_000, 'y'), method: 0 },
    ]),
  );
  const module = new URL('./unpack.ts', import.meta.url).href;
  const script = `import { unpack } from '${module}'; import { readdirSync } from 'node:fs';
    const error = await unpack({ zipPath: '${home}/full.zip', destDir: '${box}/out' }, AbortSignal.timeout(20000)).catch((e) => e);
    console.log(error.code, error.message, readdirSync('${box}').length);`;
  const mounted = [
    '-m',
    'sh',
    '-c',
    'mount -t tmpfs -o size=1m tmpfs "$1" && exec "$2" --input-type=module -e "$3"',
    'sh',
    box,
    process.execPath,
    script,
  ];
  const { stdout, stderr } = spawnSync('unshare', mounted, { encoding: 'utf8' });
  assert.match(stdout, /^disk_full The disk is full.* 0\n$/, stderr);
});
