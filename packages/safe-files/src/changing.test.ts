import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { copyBelow, giveTree, removeTree, StrangeFile, unlinkBelow, writeBelow } from './index.ts';

const home = mkdtempSync(join(tmpdir(), 'paddock-safe-changes-'));
test.after(() => rmSync(home, { recursive: true, force: true }));

test('writing replaces a link or a FIFO itself, and follows no link on the way', () => {
  const root = join(home, 'write');
  mkdirSync(root);
  const victim = join(home, 'victim');
  writeFileSync(victim, 'untouched');
  symlinkSync(victim, join(root, 'link'));
  execFileSync('mkfifo', [join(root, 'fifo')]);
  symlinkSync(home, join(root, 'way'));
  for (const path of ['link', 'fifo', 'new/folder/file']) {
    writeBelow(root, path, 'written');
    assert.equal(readFileSync(join(root, path), 'utf8'), 'written');
  }
  assert.throws(() => writeBelow(root, 'way/victim', 'written'), StrangeFile);
  assert.throws(() => unlinkBelow(root, 'way/victim'), StrangeFile);
  assert.equal(readFileSync(victim, 'utf8'), 'untouched');
  unlinkBelow(root, 'link');
  unlinkBelow(root, 'link');
  assert.ok(!existsSync(join(root, 'link')));
  assert.deepEqual(readdirSync(root).sort(), ['fifo', 'new', 'way']);
});

test('copying takes regular files only, and no more of them than allowed', async () => {
  const [from, to] = [join(home, 'from'), join(home, 'to')];
  for (const folder of [from, to]) mkdirSync(folder);
  writeFileSync(join(from, 'file'), 'x'.repeat(700_000));
  writeFileSync(join(from, 'huge'), '');
  truncateSync(join(from, 'huge'), 3 * 1024 ** 3);
  symlinkSync('/etc/passwd', join(from, 'link'));
  assert.equal(await copyBelow('file', { from, to, maxBytes: 1024 ** 2 }), true);
  assert.equal(readFileSync(join(to, 'file'), 'utf8').length, 700_000);
  assert.equal(await copyBelow('missing', { from, to, maxBytes: 1024 ** 2 }), false);
  await assert.rejects(copyBelow('huge', { from, to, maxBytes: 1024 ** 2 }), StrangeFile);
  await assert.rejects(copyBelow('link', { from, to, maxBytes: 1024 ** 2 }), StrangeFile);
  assert.ok(!existsSync(join(to, 'link')));
});

test('writing where a link, a file or a folder took the place of the way is refused as strange, and so is a name that is too long', () => {
  const root = join(home, 'swapped');
  mkdirSync(join(root, 'folder', 'settings'), { recursive: true });
  symlinkSync(home, join(root, 'link'));
  writeFileSync(join(root, 'file'), '');
  const long = 'x'.repeat(300);
  for (const path of ['link/new/file', 'file/new/file', 'file/new', 'folder', 'folder/settings', long, `${long}/file`])
    assert.throws(() => writeBelow(root, path, 'written'), StrangeFile, path);
  assert.throws(() => unlinkBelow(root, 'folder/settings'), StrangeFile);
  assert.throws(() => unlinkBelow(root, `${long}/file`), StrangeFile);
  assert.deepEqual(readdirSync(join(root, 'folder')), ['settings']);
  assert.deepEqual(readdirSync(root).sort(), ['file', 'folder', 'link']);
});

test('a tree that is deeper than any path can name is removed', async () => {
  const root = join(home, 'deep');
  mkdirSync(root);
  execFileSync('python3', ['-c', 'import os\nfor _ in range(3000):\n  os.mkdir("d" * 20); os.chdir("d" * 20)'], { cwd: root });
  await removeTree(root);
  assert.ok(!existsSync(root));
});

test('removing a link removes nothing that it leads to', async () => {
  const kept = join(home, 'kept');
  mkdirSync(kept);
  symlinkSync(kept, join(home, 'to-kept'));
  await removeTree(join(home, 'to-kept'));
  assert.ok(existsSync(kept) && !existsSync(join(home, 'to-kept')));
});

test('a folder changes its owner after its content, so its owner shows whether the change is complete', {
  skip: process.getuid?.() !== 0 && 'only root gives files away',
}, async (t) => {
  const root = join(home, 'given');
  mkdirSync(join(root, 'stuck'), { recursive: true });
  for (const name of ['a', '.hidden', 'z']) writeFileSync(join(root, name), '');
  symlinkSync('/etc/passwd', join(root, 'link'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro,size=4k', 'none', join(root, 'stuck')]);
  let isMounted = true;
  const release = () => {
    if (isMounted) execFileSync('umount', [join(root, 'stuck')]);
    isMounted = false;
  };
  t.after(release);
  const owners = () => ['', 'a', '.hidden', 'link', 'stuck', 'z'].map((name) => lstatSync(join(root, name)).uid);
  await assert.rejects(giveTree(root, 1_900_000_001));
  assert.equal(lstatSync(root).uid, 0);
  release();
  await giveTree(root, 1_900_000_001);
  assert.deepEqual(owners(), Array(6).fill(1_900_000_001));
  assert.equal(lstatSync('/etc/passwd').uid, 0);
});

test('removing a tree ends with its signal', async () => {
  const root = join(home, 'aborted');
  mkdirSync(join(root, 'folder'), { recursive: true });
  await assert.rejects(removeTree(root, AbortSignal.abort()), { name: 'AbortError' });
  assert.ok(existsSync(root));
});

test('a hundred folders that cannot be removed keep no others from being removed, and the error stays short', async (t) => {
  const root = join(home, 'stubborn');
  const isRoot = process.getuid?.() === 0;
  // The tool names each entry by its whole path.
  const way = join(root, ...Array.from({ length: 14 }, () => 'd'.repeat(200)));
  const kept = Array.from({ length: 100 }, (_, n) => join(way, `kept-${n}`));
  t.after(() => {
    for (const place of kept) if (isRoot) execFileSync('umount', ['--', place]);
    execFileSync('chmod', ['-R', 'u+w', '--', root]);
  });
  for (const place of kept) {
    mkdirSync(place, { recursive: true });
    if (isRoot) execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'none', place]);
    writeFileSync(join(place, 'file'), '');
    chmodSync(place, 0o500);
  }
  const others = Array.from({ length: 200 }, (_, n) => join(way, `other-${n}`));
  for (const place of others) mkdirSync(place);
  await assert.rejects(
    removeTree(root),
    (error: Error) => /rm ended with 1: .*kept-/s.test(error.message) && error.message.length < 10_000,
  );
  assert.deepEqual(others.filter(existsSync), []);
});
