import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { isSameServer } from './same-server.ts';
import { openTree } from './source-tree.ts';

const home = mkdtempSync(join(tmpdir(), 'paddock-same-server-'));
after(() => rmSync(home, { recursive: true, force: true }));
for (const folder of ['services/desk', 'jobs']) mkdirSync(join(home, folder), { recursive: true });
for (const file of ['services/desk/main.py', 'services/desk/db.py', 'jobs/main.py']) writeFileSync(join(home, file), '');

test('two commands serve the same program if they name the same file, in whatever way', async () => {
  const tree = await openTree(home);
  const isSame = (line: string, detected: string, folder = '') =>
    isSameServer({ words: line.split(' '), folder }, detected.split(' '), { tree, roots: [''] });
  const served = 'uvicorn desk.main:app --app-dir services';
  for (const [line = '', folder] of [['uvicorn desk.main:app'], ['python services/desk/main.py'], ['gunicorn main:app', 'services/desk']])
    assert.equal(isSame(line, served, folder), true, line);
  for (const line of ['python -m desk.db', 'python jobs/main.py', 'uvicorn other:app', 'uvicorn'])
    assert.equal(isSame(line, served), false, line);
  assert.equal(isSame('npx next start', 'next start'), true);
  assert.equal(isSame('next start', 'next start', 'jobs'), false, 'another folder');
});
