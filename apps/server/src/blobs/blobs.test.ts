import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { fileBlobs } from './blobs.ts';

test('a sweep removes what nobody names, keeps the rest, and tells a fault of the disk instead of finding nothing', async (t) => {
  const home = await mkdtemp(join(tmpdir(), 'paddock-blobs-'));
  t.after(() => rm(home, { recursive: true, force: true }));
  const blobs = fileBlobs(join(home, 'blobs'));
  assert.equal(await blobs.sweep(async () => new Set(), 0), 0, 'before the first upload there is no folder');
  const [kept, lost] = [
    await blobs.receive(Readable.from([Buffer.from('a')]), 10),
    await blobs.receive(Readable.from([Buffer.from('b')]), 10),
  ];
  assert.equal(await blobs.sweep(async () => new Set([kept.id]), 60_000), 0, 'young ones stay');
  assert.equal(await blobs.sweep(async () => new Set([kept.id]), -1), 1);
  assert.deepEqual([await blobs.exists(kept.id), await blobs.exists(lost.id)], [true, false]);
  await writeFile(join(home, 'file'), '');
  await assert.rejects(
    fileBlobs(join(home, 'file')).sweep(async () => new Set(), 0),
    { code: 'ENOTDIR' },
  );
});

test('a sweep of many archives asks for a thousand at a time', async (t) => {
  const home = await mkdtemp(join(tmpdir(), 'paddock-blobs-'));
  t.after(() => rm(home, { recursive: true, force: true }));
  const names = Array.from({ length: 2_100 }, (_, n) => `blb_${n}`);
  for (const name of names) await writeFile(join(home, name), '');
  const asked: number[] = [];
  const isUsed = async (ids: string[]) => {
    asked.push(ids.length);
    return new Set(ids.filter((id) => id !== 'blb_7'));
  };
  assert.equal(await fileBlobs(home).sweep(isUsed, -1), 1);
  assert.deepEqual(asked, [1_000, 1_000, 100]);
  assert.equal(await fileBlobs(home).exists('blb_7'), false);
});

test('an upload over the limit leaves nothing', async (t) => {
  const home = await mkdtemp(join(tmpdir(), 'paddock-blobs-'));
  t.after(() => rm(home, { recursive: true, force: true }));
  const blobs = fileBlobs(home);
  await assert.rejects(blobs.receive(Readable.from([Buffer.alloc(11)]), 10), { code: 'archive_too_large' });
  assert.equal(await blobs.sweep(async () => new Set(), -1), 0);
});

test('whoever waits for archives hears of one before it has arrived', async (t) => {
  const home = await mkdtemp(join(tmpdir(), 'paddock-blobs-'));
  t.after(() => rm(home, { recursive: true, force: true }));
  const blobs = fileBlobs(join(home, 'blobs'));
  const order: string[] = [];
  blobs.whenReceiving(() => order.push('begins'));
  async function* parts() {
    order.push('arrives');
    yield Buffer.from('a');
  }
  await blobs.receive(Readable.from(parts()), 10);
  assert.deepEqual(order, ['begins', 'arrives']);
});
