import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openTree } from '../detect/source-tree.ts';
import { condaRequirements } from './conda.ts';

async function linesOf(t: TestContext, entries: string[], more: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-conda-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries({ 'environment.yml': `dependencies:\n${entries.join('\n')}\n`, ...more }))
    writeFileSync(join(folder, name), text);
  return condaRequirements(await openTree(folder))?.lines;
}

test('packages of conda are asked of the Python index by its names and versions', async (t) => {
  const entries = ['- numpy', '- scipy=1.11', '- conda-forge::flask>=3', '- opencv', '- requests==2.31.0', '- rich 13.*', '- polars=1.2.*'];
  const expected = ['numpy', 'scipy==1.11.*', 'flask>=3', 'opencv-python-headless', 'requests==2.31.0', 'rich==13.*', 'polars==1.2.*'];
  assert.deepEqual(await linesOf(t, entries), expected);
});

test('of an exported environment only packages of Python are installed, at their versions', async (t) => {
  const entries = [
    '- python=3.11.8=h955ad1f_0',
    '- click=8.1.7=pyhd8ed1ab_0',
    '- icu=73.2=h59595ed_0',
    '- lxml=5.1.0=py311hfdaa82f_0',
    '- openssl=3.2.1',
  ];
  assert.deepEqual(await linesOf(t, entries), ['click==8.1.7', 'lxml==5.1.0']);
});

test('its pip list counts as requirements, with the files that it includes', async (t) => {
  const entries = [
    '- pip:',
    '  - -r more.txt',
    '  - openai==1.40',
    '  - --index-url https://example.com',
    '  - git+https://example.com/a/b.git',
  ];
  const lines = await linesOf(t, entries, { 'more.txt': 'httpx\n# none\n' });
  assert.deepEqual(lines, ['httpx', 'openai==1.40', 'git+https://example.com/a/b.git']);
});

test('what is no list of packages names none, and what is no YAML says where', async (t) => {
  assert.equal(await linesOf(t, ['  - python=3.12']), undefined);
  assert.equal(await linesOf(t, ['- 12', '- [a]', '- {npm: [x]}']), undefined);
  await assert.rejects(linesOf(t, ['- "a', ': {']), /environment\.yml is not valid YAML: .+ at line \d/);
});
