import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { copyApp } from './copy-app.ts';

const never = new AbortController().signal;
const owner = process.getuid?.() === 0 ? 1_900_000_001 : undefined;

suite("an app's copy", () => {
  let root: string;
  let secret: string;
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'paddock-copy-'));
    secret = join(root, 'secret');
    writeFileSync(secret, 'CANARY', { mode: 0o600 });
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  /** A tree with every kind of file that an archive or a build may contain. */
  function tree(name: string, more: number): string {
    const from = join(root, name);
    mkdirSync(join(from, 'bin', 'deep'), { recursive: true });
    writeFileSync(join(from, 'bin', 'run'), '#!/bin/sh\n');
    chmodSync(join(from, 'bin', 'run'), 0o755);
    writeFileSync(join(from, 'bin', 'deep', 'read-only'), 'x');
    chmodSync(join(from, 'bin', 'deep', 'read-only'), 0o444);
    symlinkSync(secret, join(from, 'out'));
    symlinkSync('bin/run', join(from, 'in'));
    symlinkSync(root, join(from, 'folder'));
    for (let n = 0; n < more; n++) writeFileSync(join(from, `file ${n}`), `${n}`);
    for (const path of ['bin/run', 'bin/deep', '.']) utimesSync(join(from, path), 1_000_000, 1_000_000);
    return from;
  }

  function described(folder: string): string[] {
    return ['.', ...namesBelow(folder)].sort().map((name) => {
      const stat = lstatSync(join(folder, name));
      let content = '';
      if (stat.isFile()) content = readFileSync(join(folder, name), 'utf8');
      else if (stat.isSymbolicLink()) content = readlinkSync(join(folder, name));
      const time = stat.isSymbolicLink() ? 0 : Math.round(stat.mtimeMs / 1000);
      return [name, stat.mode.toString(8), content, time].join(' ');
    });
  }

  for (const [size, more] of [
    ['small', 0],
    ['large', 200],
  ] as const) {
    test(`of a ${size} app has its content, modes, times and links, and belongs to the agent, and no link is followed`, async () => {
      const from = tree(size, more);
      const to = join(root, `${size}-copy`);
      await copyApp(from, to, { owner, signal: never });
      assert.deepEqual(described(to), described(from));
      for (const name of namesBelow(to)) {
        const { uid, gid } = lstatSync(join(to, name));
        if (owner !== undefined) assert.deepEqual([uid, gid], [owner, owner], name);
      }
      assert.equal(lstatSync(secret).uid, process.getuid?.());
      assert.equal(lstatSync(secret).mode & 0o777, 0o600);
      assert.equal(readFileSync(secret, 'utf8'), 'CANARY');
    });
  }

  test('carries no rights of an owner', async () => {
    const from = tree('rights', 0);
    chmodSync(join(from, 'bin', 'run'), 0o6755);
    await copyApp(from, join(root, 'rights-copy'), { owner, signal: never });
    if (owner !== undefined) assert.equal(lstatSync(join(root, 'rights-copy', 'bin', 'run')).mode & 0o7777, 0o755);
  });

  test('keeps hard links: two names of one file stay one file', async () => {
    const from = tree('names', 0);
    linkSync(join(from, 'bin', 'run'), join(from, 'again'));
    const to = join(root, 'names-copy');
    await copyApp(from, to, { owner, signal: never });
    assert.equal(lstatSync(join(to, 'again')).ino, lstatSync(join(to, 'bin', 'run')).ino);
  });
});

/** Uses `find`, since `readdir` would follow the links to folders. */
const namesBelow = (folder: string) => execFileSync('find', ['.', '-mindepth', '1'], { cwd: folder, encoding: 'utf8' }).trim().split('\n');
