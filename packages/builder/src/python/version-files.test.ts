import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { makePlan } from '../detect/make-plan.ts';
import type { Toolchains } from '../detect/toolchains.ts';

const home = mkdtempSync(join(tmpdir(), 'paddock-versions-'));
after(() => rmSync(home, { recursive: true, force: true }));
const toolchains: Toolchains = {
  python: [
    { version: '3.11.2', path: '' },
    { version: '3.13.1', path: '' },
  ],
  pythonMinors: [],
  node: { version: '24.21.0', path: '' },
  nodeMajors: [],
};
let count = 0;

const withMinors = { ...toolchains, pythonMinors: [9, 10, 11, 12, 13, 14] };
const versionOf = async (files: Record<string, string>, tools = withMinors) => {
  const dir = join(home, `agent-${count++}`);
  for (const [name, content] of Object.entries({ 'main.py': 'print(1)\n', ...files })) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), content);
  }
  const { version, fallback_version, reasons } = await makePlan(dir, {}, tools);
  return [version, fallback_version, reasons.find(({ what }) => what === 'version')?.because];
};

test('a Python that is not here is fetched: the newest minor version that fits, with what is here as a fallback where that may do', async () => {
  const project = (wish: string) => ({ 'pyproject.toml': `[project]\nname = "a"\nversion = "1"\nrequires-python = "${wish}"\n` });
  assert.deepEqual(await versionOf(project('>=3.12,<3.13')), ['3.12', undefined, 'pyproject.toml']);
  assert.deepEqual(await versionOf(project('>=3.9,<3.11')), ['3.10', undefined, 'pyproject.toml']);
  assert.deepEqual(await versionOf(project('>=3.10')), ['3.13.1', undefined, 'pyproject.toml'], 'what is here comes first');
  assert.deepEqual(await versionOf({ '.python-version': '3.12\n' }), ['3.12', '3.13.1', '.python-version']);
  assert.deepEqual(await versionOf({ 'runtime.txt': 'python-3.10.4\n' }), ['3.10', '3.11.2', 'runtime.txt']);
});

test('the version is also taken from an image, langgraph.json, a conda environment and classifiers, none of which refuses another one', async () => {
  const made: [files: Record<string, string>, version: string, because: string][] = [
    [{ Dockerfile: 'FROM python:3.12-slim AS base\nCMD ["python", "main.py"]\n' }, '3.12', 'Dockerfile:1 (FROM)'],
    [{ Dockerfile: 'FROM --platform=linux/amd64 ghcr.io/astral-sh/uv:python3.10-bookworm\n' }, '3.10', 'Dockerfile:1 (FROM)'],
    [{ 'langgraph.json': '{"python_version": "3.12", "graphs": {}}', 'requirements.txt': 'langgraph\n' }, '3.12', 'langgraph.json'],
    [{ 'environment.yml': 'dependencies:\n  - python=3.9  # old\n  - pip\n' }, '3.9', 'environment.yml'],
  ];
  for (const [files, version, because] of made) {
    assert.deepEqual(await versionOf(files), [version, '3.13.1', because]);
    assert.deepEqual((await versionOf(files, toolchains))[0], '3.13.1', because);
  }
  const classifiers = ['3.8', '3.11'].map((v) => `"Programming Language :: Python :: ${v}"`).join(', ');
  const listed = { 'pyproject.toml': `[project]\nname = "a"\nversion = "1"\nclassifiers = [${classifiers}]\n` };
  assert.deepEqual(await versionOf(listed), ['3.11.2', undefined, 'pyproject.toml (classifiers)']);
});
