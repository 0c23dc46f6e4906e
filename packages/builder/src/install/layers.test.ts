import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeUndeletable, removeAll } from '../../test/undeletable.ts';
import { takeLayer } from './layers.ts';

const never = new AbortController().signal;

test('a layer whose folder an install script replaced by a link is refused, and nothing of it stays', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'paddock-layers-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const replace = async (content: string) => {
    rmdirSync(content);
    symlinkSync('/etc', content);
  };
  await assert.rejects(takeLayer(home, 'a'.repeat(40), replace, never), { code: 'install_failed' });
  assert.deepEqual(readdirSync(join(home, 'layers')), []);
  const layer = await takeLayer(home, 'a'.repeat(40), async (content) => writeFileSync(join(content, 'index.js'), '1'), never);
  assert.ok(existsSync(join(layer.path, 'index.js')), 'the next one of that key is made as usual');
});

test('a draft that cannot be removed hides no failure of the install, and keeps no later build of that layer waiting', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'paddock-layers-'));
  t.after(() => removeAll(home));
  const key = 'b'.repeat(40);
  const fail = async (content: string) => {
    makeUndeletable(content);
    throw new Error('the install failed');
  };
  await assert.rejects(takeLayer(home, key, fail, never), /the install failed/);
  assert.ok(!existsSync(join(home, 'layers', `${key}.lock`)));
  await takeLayer(home, key, async (content) => writeFileSync(join(content, 'index.js'), '1'), AbortSignal.timeout(10_000));
});
