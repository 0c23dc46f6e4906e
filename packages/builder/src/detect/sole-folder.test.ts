import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planFiles, planRefusal } from '../../test/plan-files.ts';

const backend = {
  'backend/requirements.txt': 'fastapi\nuvicorn\n',
  'backend/app/__init__.py': '',
  'backend/app/main.py': 'from fastapi import FastAPI\napp = FastAPI()\n',
};
const pages = {
  'frontend/package.json': JSON.stringify({
    dependencies: { react: '19.0.0' },
    devDependencies: { vite: '7.0.0' },
    scripts: { build: 'vite build' },
  }),
  'frontend/src/main.tsx': 'export {};\n',
};
const root = async (files: Record<string, string>) => (await planFiles(files)).root;

test('scripts at the top that test or prepare the agent do not hide the folder that has it', async () => {
  const helpers = { 'test_api.py': 'import requests\n', 'run_all_tests.py': 'import pytest\n', 'generate_keys.py': 'import secrets\n' };
  assert.equal(await root({ ...backend, ...helpers }), 'backend');
  assert.equal(await root({ ...backend, ...pages, ...helpers }), 'backend');
  assert.equal(await root({ ...backend, 'requirements.txt': 'flask\n', 'app.py': 'from flask import Flask\napp = Flask(__name__)\n' }), '');
});

test('a package.json at the top that only runs those of folders below does not hide the folder that has the agent', async () => {
  const directs = JSON.stringify({
    name: 'desk',
    main: 'index.js',
    scripts: { dev: 'concurrently "npm:dev:*"', build: 'npm --prefix frontend run build' },
    devDependencies: { concurrently: '9.0.0' },
  });
  assert.equal(await root({ ...backend, ...pages, 'package.json': directs, 'eslint.config.js': 'export default [];\n' }), 'backend');
  const starts = JSON.stringify({ scripts: { start: 'node server.js' } });
  assert.equal(await root({ ...backend, ...pages, 'package.json': starts, 'lib/tea.js': '' }), '');
  const own = JSON.stringify({ dependencies: { next: '16.0.0' }, scripts: { dev: 'next dev' } });
  // It has a page of its own, which nothing starts.
  assert.match(
    await planRefusal({ ...backend, 'package.json': own, 'src/app/page.tsx': 'export default () => null;\n' }),
    /how the Node agent starts/,
  );
});

test('a folder below src is the agent if it has a list of its own', async () => {
  const api = { 'src/api/requirements.txt': 'flask\n', 'src/api/app.py': 'from flask import Flask\napp = Flask(__name__)\n' };
  assert.equal(await root({ ...api, 'README.md': '# Desk\n' }), 'src/api');
});

test('a top whose script runs an agent of Python in a folder deploys that folder', async () => {
  const files = {
    'package.json': '{"scripts": {"chat": "uv run --project apps/api chat", "build": "pnpm --filter web build"}}',
    'pnpm-workspace.yaml': 'packages: ["apps/web"]\n',
    'apps/api/pyproject.toml': '[project]\nname = "api"\nversion = "1"\ndependencies = ["fastapi"]\n',
    'apps/api/main.py': 'from fastapi import FastAPI\napp = FastAPI()\n',
    'apps/web/package.json':
      '{"name": "web", "dependencies": {"react": "19"}, "devDependencies": {"vite": "7"}, "scripts": {"build": "vite build"}}',
    'apps/web/index.html': '<p>',
  };
  const { root, language } = await planFiles(files);
  assert.deepEqual([root, language], ['apps/api', 'python']);
});
