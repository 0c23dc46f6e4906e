import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { makePlan } from './make-plan.ts';
import { warnOfSecrets } from './secret-files.ts';

async function warnings(t: TestContext, names: string[]): Promise<string[]> {
  const dir = mkdtempSync(join(tmpdir(), 'paddock-secret-files-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  for (const name of ['main.py', 'requirements.txt', ...names])
    writeFileSync(join(dir, name), name === 'main.py' ? 'import http.server\n' : '');
  const toolchains = {
    python: [{ version: '3.13.1', path: '' }],
    pythonMinors: [],
    node: { version: '24.21.0', path: '' },
    nodeMajors: [22],
  };
  return (await makePlan(dir, {}, toolchains)).warnings.filter((text) => text.includes('secret'));
}

test('a file of an archive that looks like a secret is named in a warning of its plan', async (t) => {
  assert.deepEqual(await warnings(t, ['credentials.json']), [
    'The archive has credentials.json, which looks like a secret. Better set it under Variables.',
  ]);
  assert.deepEqual(await warnings(t, ['credentials.txt']), []);
});

test('of many files that look like secrets three are named', () => {
  const files = ['a/id_rsa', 'b/id_rsa', 'c/id_rsa', 'd/id_rsa', 'e/id_rsa'];
  assert.deepEqual(warnOfSecrets({ files, read: () => null }), [
    'The archive has a/id_rsa, b/id_rsa, c/id_rsa and 2 more, which look like secrets. Better set them under Variables.',
  ]);
});
