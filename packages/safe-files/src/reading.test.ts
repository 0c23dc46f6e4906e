import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import {
  closeSync,
  constants,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { listBelow, readBelow, readStartBelow, readTextBelow, statBelow, walkBelow } from './index.ts';
import { StrangeFile } from './strange-file.ts';

const home = mkdtempSync(join(tmpdir(), 'paddock-safe-files-'));
test.after(() => rmSync(home, { recursive: true, force: true }));
const LARGE = 1024 ** 2;

function tree(name: string): string {
  const root = join(home, name);
  mkdirSync(join(root, 'a/b'), { recursive: true });
  writeFileSync(join(root, 'a/b/file'), 'content');
  return root;
}

const refused = (found: string) => (error: unknown) => error instanceof StrangeFile && error.found === found;

test('a regular file is read, also one with several names', async () => {
  const root = tree('plain');
  linkSync(join(root, 'a/b/file'), join(root, 'second'));
  for (const path of ['a/b/file', 'second']) assert.equal(await readTextBelow(root, path, LARGE), 'content');
  assert.equal(readStartBelow(root, 'a/b/file', 4)?.toString(), 'cont');
  for (const path of ['missing', 'a/missing/file']) {
    assert.equal(await readBelow(root, path, LARGE), undefined);
    assert.equal(readStartBelow(root, path, LARGE), undefined);
  }
});

test('a FIFO, a socket, a folder and links to devices, files and folders are refused at once', async (t) => {
  const root = tree('strange');
  execFileSync('mkfifo', [join(root, 'fifo')]);
  const server = createServer().listen(join(root, 'socket'));
  t.after(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  symlinkSync('/dev/zero', join(root, 'zero'));
  symlinkSync('a/b/file', join(root, 'link'));
  symlinkSync('a', join(root, 'way'));
  const wanted = { fifo: 'not a file', socket: 'not a file', a: 'not a file', zero: 'a link', link: 'a link', 'way/b/file': 'a link' };
  for (const [path, found] of Object.entries(wanted)) {
    await assert.rejects(readBelow(root, path, LARGE), refused(found), path);
    assert.throws(() => readStartBelow(root, path, LARGE), refused(found), path);
  }
  await assert.rejects(readBelow(root, 'a/b/file/x', LARGE), refused('not a folder'));
  assert.equal(statBelow(root, 'zero')?.kind, 'link');
  assert.equal(statBelow(root, 'fifo')?.kind, 'other');
  assert.equal(statBelow(root, 'way/b'), undefined);
});

test('a device itself is refused', { skip: process.getuid?.() !== 0 }, async () => {
  const root = tree('device');
  execFileSync('mknod', [join(root, 'zero'), 'c', '1', '5']);
  await assert.rejects(readBelow(root, 'zero', LARGE), refused('not a file'));
});

test('a file of 3 GiB without content is refused after the bytes that are allowed', async () => {
  const root = tree('sparse');
  writeFileSync(join(root, 'huge'), '');
  truncateSync(join(root, 'huge'), 3 * 1024 ** 3);
  const before = process.memoryUsage().arrayBuffers;
  await assert.rejects(readBelow(root, 'huge', LARGE), refused('too large'));
  assert.ok(process.memoryUsage().arrayBuffers - before < 64 * LARGE);
  assert.equal(readStartBelow(root, 'huge', 10)?.length, 10);
});

test('FIFOs in any number keep no other file from being read', async () => {
  const root = tree('threads');
  const fifos = Array.from({ length: 64 }, (_, index) => join(root, `fifo-${index}`));
  execFileSync('mkfifo', fifos);
  // If reading blocks on them, this unblocks it. Otherwise the test could not end.
  const release = () => fifos.forEach((fifo) => closeSync(openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK)));
  const timer = setTimeout(release, 20_000);
  try {
    const begun = performance.now();
    const reads = fifos.map((_, index) => readBelow(root, `fifo-${index}`, LARGE).catch((error: unknown) => error));
    assert.equal(await readFile(join(root, 'a/b/file'), 'utf8'), 'content');
    for (const one of await Promise.all(reads)) assert.ok(one instanceof StrangeFile);
    assert.ok(performance.now() - begun < 15_000);
  } finally {
    clearTimeout(timer);
  }
});

/** Runs in another process, so that a swap can occur between any two calls of the reader. */
const SWAP = `import os
while True:
  os.rename('a', 'aside'); os.rename('link', 'a'); os.rename('a', 'link'); os.rename('aside', 'a')`;

test('a folder that is swapped for a link during thousands of reads never leads outside', async (t) => {
  const root = tree('race');
  const outside = join(home, 'outside');
  mkdirSync(join(outside, 'b'), { recursive: true });
  writeFileSync(join(outside, 'b/file'), 'SECRET');
  symlinkSync(outside, join(root, 'link'));
  const swapper = spawn('python3', ['-c', SWAP], { cwd: root, stdio: 'ignore' });
  t.after(() => swapper.kill('SIGKILL'));
  const counts = { content: 0, refused: 0, missing: 0 };
  const deadline = performance.now() + 60_000;
  for (let left = 5000; (left > 0 || counts.refused === 0 || counts.content === 0) && performance.now() < deadline; left--) {
    const text = await readTextBelow(root, 'a/b/file', LARGE).catch((error: unknown) => {
      if (error instanceof StrangeFile) return 'refused';
      throw error;
    });
    assert.notEqual(text, 'SECRET');
    counts[(text ?? 'missing') as keyof typeof counts]++;
  }
  assert.ok(counts.content > 0 && counts.refused > 0, JSON.stringify(counts));
});

test('a path that leads upwards or to the top is a mistake, not a file', async () => {
  const root = tree('upwards');
  for (const path of ['../plain', '/etc/passwd', 'a/../../x', 'a\0b']) await assert.rejects(readBelow(root, path, LARGE), /no path below/);
});

test('a folder with more entries than allowed, and one that lies too deep, are refused', () => {
  const root = tree('many');
  for (let index = 0; index < 50; index++) writeFileSync(join(root, `a/${index}`), '');
  assert.throws(() => listBelow(root, 'a', 40), refused('too many entries'));
  assert.equal(listBelow(root, 'a', 60)?.length, 51);
  assert.throws(() => [...walkBelow(root, 50)], refused('too many entries'));
  mkdirSync(join(root, ...Array.from({ length: 200 }, () => 'd')), { recursive: true });
  assert.throws(() => [...walkBelow(root, 1000)], refused('too deep'));
});

test('a walk tells links and FIFOs and follows none', () => {
  const root = tree('walk');
  symlinkSync('..', join(root, 'a/up'));
  execFileSync('mkfifo', [join(root, 'a/fifo')]);
  const found = [...walkBelow(root, 100)].map(({ path, kind }) => `${kind} ${path}`).sort();
  assert.deepEqual(found, ['file a/b/file', 'folder a', 'folder a/b', 'link a/up', 'other a/fifo']);
});
