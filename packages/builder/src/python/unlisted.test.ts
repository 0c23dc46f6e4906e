import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { makePlan } from '../detect/make-plan.ts';

const home = mkdtempSync(join(tmpdir(), 'paddock-unlisted-'));
after(() => rmSync(home, { recursive: true, force: true }));
let count = 0;

const unlistedOf = async (files: Record<string, string>) => (await planOf(files)).unlisted_modules ?? [];

async function planOf(files: Record<string, string>) {
  const dir = join(home, `agent-${count++}`);
  for (const [name, content] of Object.entries({ 'requirements.txt': 'requests\nPyYAML\npython-dotenv\n', ...files })) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), content);
  }
  const toolchains = {
    python: [{ version: '3.11.2', path: '' }],
    pythonMinors: [],
    node: { version: '24.21.0', path: '' },
    nodeMajors: [],
  };
  return makePlan(dir, {}, toolchains);
}

test('modules that the start loads and no listed package is named after are known to the plan', async () => {
  const main = 'import os, requests\nfrom yaml import safe_load\nimport dotenv, ddgs\nfrom arxiv.client import a\nprint(1)\n';
  assert.deepEqual(await unlistedOf({ 'main.py': main }), ['arxiv', 'ddgs']);
});

test('what is imported in a function, a condition or a try is none of them', async () => {
  const main =
    'def a():\n    import ddgs\ntry:\n    import arxiv\nexcept ImportError:\n    pass\nif TYPE:\n    import feedparser\nprint(1)\n';
  assert.deepEqual(await unlistedOf({ 'main.py': main }), []);
});

test('only files that the start imports count, by whichever way', async () => {
  const files = { 'tools/search.py': 'import ddgs\n', 'other.py': 'import feedparser\n', 'tools/__init__.py': '' };
  assert.deepEqual(await unlistedOf({ 'main.py': 'from tools.search import a\nprint(1)\n', ...files }), ['ddgs']);
  const served = 'from fastapi import FastAPI\nfrom desk.tools import b\napp = FastAPI()\n';
  const inPackage = { 'desk/api.py': served, 'desk/tools.py': 'import arxiv\n', 'desk/__init__.py': '', 'stray.py': 'import ddgs\n' };
  assert.deepEqual(await unlistedOf({ ...inPackage, 'requirements.txt': 'fastapi\n' }), ['arxiv']);
});

test('a name that a file or folder of the archive bears is no package to add', async () => {
  const files = { 'libs/desk_core/src/desk_core/__init__.py': '', 'libs/bell.py': '' };
  assert.deepEqual(await unlistedOf({ 'main.py': 'import desk_core, bell, ddgs\nprint(1)\n', ...files }), ['ddgs']);
});

test('a name of the project itself, or one that its build gives to a folder, is no package to add', async () => {
  const pyproject = '[project]\nname = "desk-agent"\ndependencies = ["requests"]\n\n[tool.hatch.build.sources]\n"pylib" = "desk_parts"\n';
  const files = {
    'pyproject.toml': pyproject,
    'pylib/__init__.py': '',
    'main.py': 'import desk_agent, desk_parts, deskagent, ddgs\nprint(1)\n',
  };
  assert.deepEqual(await unlistedOf(files), ['ddgs']);
});

test('the project is installed where the start imports a folder by the name that its build gives it', async () => {
  const build = '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n\n';
  const project =
    '[project]\nname = "desk"\nversion = "1"\ndependencies = ["requests"]\n\n[tool.hatch.build.sources]\n"pylib" = "desk_parts"\n';
  const files = { 'pylib/__init__.py': '', 'main.py': 'import desk_parts\nprint(1)\n' };
  const { install, reasons } = await planOf({ ...files, 'pyproject.toml': build + project });
  assert.equal(install?.project, true);
  assert.match(reasons.map(({ because }) => because).join('\n'), /main\.py imports desk_parts, which pyproject\.toml makes of a folder/);
  assert.equal((await planOf({ ...files, 'pyproject.toml': project })).install?.project, undefined);
  assert.equal((await planOf({ ...files, 'pyproject.toml': build + project, 'main.py': 'print(1)\n' })).install?.project, undefined);
});

test('a variable that only a script needs which the start does not load is not required', async () => {
  const main = 'from fastapi import FastAPI\nimport config\napp = FastAPI()\n';
  const script = 'import os\nkey = os.environ["SENDGRID_API_KEY"]\nif __name__ == "__main__":\n    print(key)\n';
  const files = { 'main.py': main, 'config.py': 'import os\nkey = os.environ["OPENAI_API_KEY"]\n', 'send_campaign.py': script };
  const { asked_variables = [] } = await planOf({ ...files, 'requirements.txt': 'fastapi\nuvicorn\n' });
  assert.deepEqual(
    asked_variables.map(({ name, required }) => [name, required]),
    [
      ['OPENAI_API_KEY', true],
      ['SENDGRID_API_KEY', false],
    ],
  );
});
