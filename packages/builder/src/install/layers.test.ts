import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeUndeletable, removeAll } from '../../test/undeletable.ts';
import { collectGarbage } from './collect-garbage.ts';
import { acquireLayer } from './layers.ts';

const never = new AbortController().signal;

test('a layer whose folder an install script replaced by a link is refused, and nothing of it stays', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'paddock-layers-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const replace = async (content: string) => {
    rmdirSync(content);
    symlinkSync('/etc', content);
  };
  await assert.rejects(acquireLayer(home, { key: 'a'.repeat(40), fill: replace }, never), { code: 'install_failed' });
  assert.deepEqual(readdirSync(join(home, 'layers')), []);
  const layer = await acquireLayer(
    home,
    { key: 'a'.repeat(40), fill: async (content) => writeFileSync(join(content, 'index.js'), '1') },
    never,
  );
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
  await assert.rejects(acquireLayer(home, { key, fill: fail }, never), /the install failed/);
  assert.ok(!existsSync(join(home, 'layers', `${key}.lock`)));
  await acquireLayer(home, { key, fill: async (content) => writeFileSync(join(content, 'index.js'), '1') }, AbortSignal.timeout(10_000));
});

/** A team's folders on a node that no deployment uses. */
const kinds = ['artifacts', 'cache/team', 'layers'];
const unused = { inUse: { artifacts: [], layers: [] }, maxCacheMb: 1_000 };
const soon = () => new Date(Date.now() + 60_000);
const allOld = () => ({ ...unused, olderThan: { artifacts: soon(), layers: soon(), caches: soon() } });

test('a folder that cannot be removed keeps no artifact, cache or layer from being collected, and is told', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'paddock-collect-'));
  t.after(() => removeAll(home));
  for (const kind of kinds) mkdirSync(join(home, kind, 'aa'), { recursive: true });
  makeUndeletable(join(home, 'artifacts', 'bb'));
  await assert.rejects(collectGarbage(home, allOld(), never), /could not be removed/);
  for (const kind of kinds) assert.ok(!existsSync(join(home, kind, 'aa')), kind);
});

test('a shutdown ends the collecting', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'paddock-collect-'));
  t.after(() => removeAll(home));
  mkdirSync(join(home, 'layers', 'aa'), { recursive: true });
  await assert.rejects(collectGarbage(home, allOld(), AbortSignal.abort()), { name: 'AbortError' });
  assert.ok(existsSync(join(home, 'layers', 'aa')));
});
