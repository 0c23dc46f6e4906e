import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Artifact } from '@paddock/builder';
import { brokenPackage } from './broken-package.ts';
import { knownBreak } from './known-breaks.ts';
import { olderThan } from './older.ts';

const environment = mkdtempSync(join(tmpdir(), 'paddock-venv-'));
for (const entry of ['httpx-0.28.1.dist-info', 'pydantic-2.12.0.dist-info', 'numpy-2.3.0.dist-info'])
  mkdirSync(join(environment, 'lib/python3.12/site-packages', entry), { recursive: true });
test.after(() => rmSync(environment, { recursive: true, force: true }));
const artifact = {
  app_dir: tmpdir(),
  mounts: [{ from: environment, at: '/app/.venv' }],
  plan: { version: '3.12.3' },
} as unknown as Artifact;
const frame = (path: string) => `  File "/app/.venv/lib/python3.12/site-packages/${path}", line 9, in __init__`;
const proxies = [frame('openai/_base_client.py'), "TypeError: AsyncClient.__init__() got an unexpected keyword argument 'proxies'"];

test('a pinned package that no longer fits the newest of another gets the version below it, whatever the date of the archive', () => {
  assert.equal(knownBreak(proxies, artifact), 'httpx<0.28');
  assert.deepEqual(olderThan(proxies, { ...artifact, newest_until: '2024-12-25' }), { below: 'httpx<0.28' });
  assert.deepEqual(olderThan(proxies, { ...artifact, is_unlocked: true }), { below: 'httpx<0.28' });
  assert.equal(olderThan(proxies, artifact), undefined, 'a lock is kept');
  const compiled = ['ValueError: numpy.dtype size changed, may indicate binary incompatibility.'];
  assert.equal(knownBreak(compiled, artifact), 'numpy<2');
  assert.equal(brokenPackage(compiled, artifact), compiled[0], 'its kind alone would not show it');
});

test('the same words elsewhere, and packages that are not installed, mean nothing', () => {
  const bool = "TypeError: argument of type 'bool' is not iterable";
  assert.equal(knownBreak([frame('gradio_client/utils.py'), bool], artifact), 'pydantic<2.11');
  assert.equal(knownBreak(['  File "/app/main.py", line 3, in <module>', bool], artifact), undefined);
  const flask = [frame('flask/app.py'), "ImportError: cannot import name 'url_quote' from 'werkzeug.urls' (/app/x)"];
  assert.equal(knownBreak(flask, artifact), undefined);
});
