import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planFiles } from '../../test/plan-files.ts';

const image = (...lines: string[]) => ['FROM python:3.11', ...lines, 'COPY . .', ''].join('\n');
const script = { 'main.py': '' };
const project = [
  '[project]',
  'name = "desk"',
  'dependencies = ["httpx"]',
  '[project.optional-dependencies]',
  'pg = ["asyncpg>=0.29"]',
  'graphs = ["networkx[extra]"]',
  'all = ["desk[pg,graphs]"]',
  'test = ["pytest"]',
  '[dependency-groups]',
  'jobs = ["arq"]',
  'dev = ["ruff"]',
].join('\n');
const extraOf = async (files: Record<string, string>) => (await planFiles({ ...script, ...files })).install?.extra;

test('all lists that an image installs are installed, under the names that COPY gives them', async () => {
  const files = {
    ...script,
    'requirements.txt': 'httpx\n',
    'finder/needs.txt': 'faiss-cpu==1.9.0 --hash=sha256:aa\nhttpx\n./local\n',
    'more.txt': 'gunicorn ; python_version > "3.8"\n',
    'requirements-dev.txt': 'ruff\n',
    Dockerfile: image(
      'COPY finder/needs.txt finder_needs.txt',
      'COPY *.txt ./',
      'RUN pip install -r requirements.txt -r finder_needs.txt && pip install -r more.txt -r requirements-dev.txt',
    ),
  };
  const { install, reasons } = await planFiles(files);
  assert.deepEqual(install?.extra, ['faiss-cpu==1.9.0', 'gunicorn ; python_version > "3.8"']);
  const lists = reasons.filter(({ what }) => what === 'package list');
  assert.deepEqual(lists, [
    { what: 'package list', value: 'finder/needs.txt', because: 'Dockerfile:4 (RUN)' },
    { what: 'package list', value: 'more.txt', because: 'Dockerfile:4 (RUN)' },
  ]);
});

test('extras and groups that an image installs are installed, whatever program installs them', async () => {
  const of = (line: string) => extraOf({ 'pyproject.toml': project, Dockerfile: image(`RUN ${line}`) });
  assert.deepEqual(await of('pip install --no-cache-dir ".[pg]"'), ['asyncpg>=0.29']);
  assert.deepEqual(await of('uv pip install --system -e .[all,test]'), ['asyncpg>=0.29', 'networkx[extra]']);
  assert.deepEqual(await of('uv sync --no-dev --extra pg --group=jobs --group dev'), ['asyncpg>=0.29', 'arq']);
  assert.deepEqual(await of('uv sync --all-extras'), ['asyncpg>=0.29', 'networkx[extra]']);
  assert.deepEqual(await of('pdm install -G jobs'), ['arq']);
  assert.deepEqual(await of('pip install .'), []);
  const poetry = [
    '[tool.poetry]',
    'name = "desk"',
    '[tool.poetry.dependencies]',
    'httpx = "*"',
    'asyncpg = { version = "^0.29", optional = true }',
    '[tool.poetry.extras]',
    'pg = ["asyncpg"]',
    '[tool.poetry.group.jobs.dependencies]',
    'arq = "*"',
  ].join('\n');
  const run = 'RUN poetry install -E pg --with jobs,dev';
  assert.deepEqual(await extraOf({ 'pyproject.toml': poetry, Dockerfile: image(run) }), ['asyncpg>=0.29,<0.30', 'arq']);
});

test('extras have the versions of the lock', async () => {
  const lock = [
    ...['httpx 0.28.0', 'asyncpg 0.30.0', 'networkx 3.4'].map((one) => {
      const [name, version] = one.split(' ');
      return `[[package]]\nname = "${name}"\nversion = "${version}"\nsource = { registry = "https://index.example/simple" }\n`;
    }),
    '[[package]]\nname = "desk"\nversion = "0"\nsource = { virtual = "." }\n',
  ].join('\n');
  const files = { 'uv.lock': lock, 'pyproject.toml': project, Dockerfile: image('RUN uv sync --locked --extra pg --extra graphs') };
  assert.deepEqual(await extraOf(files), ['asyncpg==0.30.0', 'networkx[extra]==3.4']);
});
