import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openTree } from '../detect/source-tree.ts';
import { findPyproject, pythonDependencies } from './dependencies.ts';

async function projectOf(t: TestContext, files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-setuptools-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const tree = await openTree(folder);
  const project = findPyproject(tree);
  return { project, dependencies: pythonDependencies(tree, project) };
}

test('a setup.cfg that only configures tools, and a setup.py without a call of setup(), declare no project', async (t) => {
  const { project, dependencies } = await projectOf(t, {
    'setup.cfg': '[flake8]\nmax-line-length = 100\n[metadata]\nname = a\n',
    'setup.py': 'from os import environ\n',
  });
  assert.deepEqual([project, dependencies], [null, null]);
});

test('what setup.cfg and setup.py declare counts together, and what setup.py computes is left to its build backend', async (t) => {
  const { project, dependencies } = await projectOf(t, {
    'setup.cfg': '[metadata]\nname: my-bot\n[options]\npython_requires = >=3.10\ninstall_requires = openai>=1 ; python_version > "3"\n',
    'setup.py': [
      'import setuptools',
      'requirements = open("more.txt").read().split()',
      "setuptools.setup(install_requires=requirements, entry_points='''",
      '[console_scripts]',
      "my-bot=bot.main:main''')",
    ].join('\n'),
  });
  assert.partialDeepStrictEqual(project, { file: 'setup.cfg', name: 'my-bot', requiresPython: '>=3.10' });
  assert.deepEqual([...(project?.scripts ?? [])], [['my-bot', 'bot.main:main']]);
  assert.deepEqual([...(dependencies?.names ?? [])], ['openai']);
  assert.deepEqual(dependencies?.inputs, ['setup.cfg', 'setup.py']);
});

test('a project in pyproject.toml, and a requirements.txt, come before setup.py', async (t) => {
  const setup = "from setuptools import setup\nsetup(name='old', install_requires=['flask'])\n";
  const { project } = await projectOf(t, { 'setup.py': setup, 'pyproject.toml': '[project]\nname = "new"\n' });
  assert.equal(project?.name, 'new');
  const { dependencies } = await projectOf(t, { 'setup.py': setup, 'requirements.txt': 'django\n' });
  assert.equal(dependencies?.file, 'requirements.txt');
});
