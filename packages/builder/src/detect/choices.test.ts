import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { BuildError } from '../build-error.ts';
import { makePlan } from './make-plan.ts';
import type { PlanSettings } from './settings.ts';

const home = mkdtempSync(join(tmpdir(), 'paddock-choices-'));
after(() => rmSync(home, { recursive: true, force: true }));
const python = (version: string) => ({ version, path: '' });
const toolchains = { python: [python('3.11.2')], pythonMinors: [], node: { version: '24.21.0', path: '' }, nodeMajors: [22] };

let count = 0;
function plan(files: Record<string, string>, settings: PlanSettings = {}) {
  const dir = join(home, `agent-${count++}`);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), content);
  }
  return makePlan(dir, settings, toolchains);
}
const refusal = (files: Record<string, string>, settings?: PlanSettings) =>
  plan(files, settings).then(
    () => assert.fail('a plan was made'),
    (error: unknown) => (error instanceof BuildError ? `${error.message} ${error.hint}` : assert.fail(String(error))),
  );

const guard = "if __name__ == '__main__':\n    pass\n";
const api = 'from fastapi import FastAPI\napp = FastAPI()\n';
const flask = 'from flask import Flask\nsite = Flask(__name__)\n';

test('a choice that is given as the start command brings the packages, the kind and the variables of its framework', async () => {
  const files = { 'requirements.txt': 'httpx\n', 'main.py': guard, 'viewer/api.py': api };
  const [choice] = (await plan(files)).choices ?? [];
  assert.equal(choice?.start, 'uvicorn viewer.api:app --host 0.0.0.0 --port $PORT');
  const taken = await plan(files, { start: choice.start });
  assert.deepEqual([taken.framework, taken.type, taken.install?.extra], ['FastAPI', 'web', ['uvicorn', 'fastapi']]);
  assert.deepEqual(taken.choices, [{ start: 'python main.py', because: 'main.py' }], 'what was likeliest is a choice now');
  const other = await plan(files, { start: 'python other.py' });
  assert.deepEqual([other.framework, other.install?.extra], [undefined, []], 'a command of a person brings nothing');
});

test('a program that documents run with arguments can be started by these commands', async () => {
  const readme = [
    '```bash',
    'uv run python3 ./main.py --topic "green tea" --depth 2   # the whole report',
    'python main.py --help',
    'python main.py <your topic>',
    'python other.py --topic x',
    'python main.py \\',
    '```',
  ].join('\n');
  const choices = (await plan({ 'requirements.txt': 'httpx\n', 'main.py': guard, 'README.md': readme })).choices ?? [];
  assert.deepEqual(choices, [{ start: 'python main.py --topic "green tea" --depth 2', because: 'README.md, with arguments' }]);
  const node = { 'package.json': '{"scripts": {"start": "bun run index.ts"}}', 'bun.lock': '', 'index.ts': '' };
  const started = await plan({ ...node, 'README.md': '`bun index.ts "What is tea?"`\n' });
  assert.deepEqual(started.choices, [{ start: 'bun run index.ts "What is tea?"', because: 'README.md, with arguments' }]);
});

test('two scripts that nothing tells apart are both named, and none is guessed', async () => {
  const said = await refusal({ 'requirements.txt': 'httpx\n', 'one.py': guard, 'two.py': guard });
  assert.match(said, /such as “python one\.py” or “python two\.py”/);
});

const offers = (files: Record<string, string>, settings?: PlanSettings) =>
  plan(files, settings).then(
    () => assert.fail('a plan was made'),
    (error: unknown) => (error instanceof BuildError ? error.choices : assert.fail(String(error))),
  );

test('a failure offers as data what its message names: commands with their files, folders with what they hold', async () => {
  const two = { 'requirements.txt': 'httpx\n', 'one.py': guard, 'two.py': guard };
  assert.deepEqual(await offers(two), [
    { start: 'python one.py', because: 'one.py' },
    { start: 'python two.py', because: 'two.py' },
  ]);
  const folders = {
    'README.md': '',
    'api/requirements.txt': 'fastapi\n',
    'api/main.py': api,
    'bot/package.json': '{"main": "a.js"}',
    'bot/a.js': '',
  };
  assert.deepEqual(await offers({ ...folders, 'odd/package.json': '{"name": 1,}' }), [
    { root: 'api', because: 'Python, FastAPI' },
    { root: 'bot', because: 'Node' },
  ]);
  assert.deepEqual(await offers({ 'package.json': '{}', 'x/go.js': '' }), [{ start: 'node x/go.js', because: 'x/go.js' }]);
});

test('a command that is offered of a folder names the folder, and gives the same plan with it', async () => {
  const inside = { 'a/requirements.txt': 'httpx\n', 'a/main.py': guard, 'a/viewer/api.py': api, 'README.md': '' };
  const choice = { root: 'a', start: 'uvicorn viewer.api:app --host 0.0.0.0 --port $PORT', because: 'a/viewer/api.py' };
  for (const settings of [{}, { root: 'a' }]) {
    const [offered] = (await plan(inside, settings)).choices ?? [];
    assert.deepEqual([offered?.root, offered?.start], [choice.root, choice.start]);
  }
  const taken = await plan(inside, { root: choice.root, start: choice.start });
  assert.deepEqual([taken.root, taken.framework], ['a', 'FastAPI']);
  const scripts = { 'a/requirements.txt': 'httpx\n', 'a/one.py': guard, 'a/two.py': guard };
  assert.deepEqual((await offers(scripts, { root: 'a' }))[0], { root: 'a', start: 'python one.py', because: 'one.py' });
});

test('a folder and a command that the project keeps say so among the reasons', async () => {
  const files = { 'a/requirements.txt': 'httpx\n', 'a/one.py': guard, 'paddock.yaml': 'start: python zero.py\n' };
  const { reasons } = await plan(files, { root: 'a', start: 'python one.py', of_project: true });
  const because = (what: string) => reasons.find((reason) => reason.what === what)?.because;
  assert.deepEqual([because('root'), because('start')], ['setting of the project', 'setting of the project']);
});

test('the first of two scripts that a README names alike starts, unless an image or an app does', async () => {
  const files = { 'requirements.txt': 'httpx\n', 'one.py': guard, 'two.py': guard, 'README.md': '`python two.py`\n`python one.py`' };
  const { start, choices } = await plan(files);
  assert.deepEqual([start, choices?.map((choice) => choice.start)], [['python', 'two.py'], ['python one.py']]);
  const inImage = await plan({ ...files, Dockerfile: 'FROM a\nCMD supervisord -c bots.conf' });
  assert.deepEqual(inImage.start, ['supervisord', '-c', 'bots.conf']);
  const app = await plan({ ...files, 'viewer/api.py': api, 'requirements.txt': 'httpx\nfastapi\n' });
  assert.deepEqual(app.start.slice(0, 2), ['uvicorn', 'viewer.api:app']);
});

test('the Dockerfile’s CMD is a choice where a framework starts the agent', async () => {
  const found = await plan({ 'requirements.txt': 'flask\n', 'app.py': flask, Dockerfile: 'FROM python\nCMD ["python", "a b.py", "--x"]' });
  assert.deepEqual(found.choices, [{ start: "python 'a b.py' --x", because: 'Dockerfile:2 (CMD)' }]);
});

test('at most eight choices are named, and a name full of shell text stays one word of its command', async () => {
  const scripts = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`bot${n}.py`, guard]));
  const found = await plan({ 'requirements.txt': 'x\n', 'main.py': guard, ...scripts, "$(touch 'x').py": guard });
  assert.equal(found.choices?.length, 8);
  assert.equal(found.choices[0]?.start, `python '$(touch '\\''x'\\'').py'`);
});

test('an archive without an agent at its top says of each folder what it is', async () => {
  const said = await refusal({
    'README.md': '',
    'backend/requirements.txt': 'fastapi\nuvicorn\n',
    'backend/main.py': api,
    'bot/package.json': '{"main": "bot.js"}',
    'bot/bot.js': '',
    'site/package.json': '{"scripts": {"start": "next start"}, "dependencies": {"next": "15"}}',
    'odd/package.json': '{"name": 1,}',
  });
  assert.match(said, /own: backend \(Python, FastAPI\), bot \(Node\), odd, site \(Node, Next\.js\)\. .*--root, or as “root: backend”/);
  assert.doesNotMatch(said, /Looked for/);
});

test('each folder is told with the variables that it requires, so that they can be set with the folder', async () => {
  const reads = (...names: string[]) => names.map((name) => `os.environ["${name}"]\n`).join('');
  const said = await refusal({
    'README.md': '',
    'backend/requirements.txt': 'fastapi\nuvicorn\n',
    'backend/main.py': `import os\n${api}${reads('DESK_KEY', 'BELL_URL')}os.environ.get("LAMP", "1")\n`,
    'bot/requirements.txt': 'requests\n',
    'bot/bot.py': `import os\n${reads(...'ABCDEFGHIJ'.split('').map((letter) => `${letter}_KEY`))}`,
    'site/package.json': '{"scripts": {"start": "next start"}, "dependencies": {"next": "15"}}',
  });
  assert.match(
    said,
    /backend \(Python, FastAPI; asks for (?:DESK_KEY, BELL_URL|BELL_URL, DESK_KEY)\), bot \(Python; asks for (?:[A-J]_KEY, ){7}[A-J]_KEY and 2 more\), site \(Node/,
  );
});

test('an archive whose folders list their dependencies, and its top does not, names those folders', async () => {
  const said = await refusal({
    'README.md': '',
    'main.txt': '',
    'src/api/requirements.txt': 'fastapi\nuvicorn\n',
    'src/api/main.py': api,
    'src/page/requirements.txt': 'flask\n',
    'src/page/app.py': flask,
    'start.py': api,
  });
  assert.match(said, /no file names the agent’s dependencies.*Folders with an agent of their own: .*src\/api \(Python, FastAPI\)/);
});

test('folders of a folder that a person named are named from the top of the archive', async () => {
  const said = await refusal(
    { 'services/a/requirements.txt': 'flask\n', 'services/a/app.py': flask, 'x/main.py': '' },
    { root: 'services' },
  );
  assert.match(said, /own: services\/a \(Python, Flask\)\./);
});

test('a framework in a lock file that only a group for development asks for is not the agent', async () => {
  const project = '[project]\nname = "a"\nversion = "1"\ndependencies = ["httpx"]\n[dependency-groups]\ndev = ["streamlit"]\n';
  const lock = ['httpx', 'streamlit'].map((name) => `[[package]]\nname = "${name}"\nversion = "1"\n`).join('');
  const files = { 'pyproject.toml': project, 'uv.lock': lock, 'main.py': guard, 'look.py': 'import streamlit\n' };
  const found = await plan(files);
  assert.deepEqual([found.start, found.framework], [['python', 'main.py'], undefined]);
});

test('an MCP server that also speaks HTTP by itself, or is only a tool of the agent, is not bridged', async () => {
  const server = (run: string) => `from fastmcp import FastMCP\ndef main():\n    mcp = FastMCP('x')\n    ${run}\n${guard}`;
  const start = async (run: string) => (await plan({ 'requirements.txt': 'fastmcp\n', 'main.py': server(run) })).start;
  assert.deepEqual(await start("mcp.run(transport='http', port=8000)"), ['python', 'main.py']);
  assert.equal((await start('mcp.run()'))[0], 'node');
  assert.equal((await start("mcp.run(transport='stdio')"))[0], 'node');
  const client = `import asyncio\nargs = ['tool.py']\n${guard}`;
  const found = await plan({ 'requirements.txt': 'fastmcp\n', 'chat.py': client, 'tool.py': server('mcp.run()') });
  assert.deepEqual(found.start, ['python', 'chat.py']);
});

test('a script of the top that runs another folder’s script is no start: the folders are offered', async () => {
  const files = {
    'package.json': '{"scripts": {"worker:api": "pnpm --filter api worker", "db:seed": "pnpm --filter api db:seed"}}',
    'pnpm-workspace.yaml': 'packages: ["apps/*"]\n',
    'apps/api/package.json': '{"name": "api", "dependencies": {"express": "4"}, "scripts": {"start": "node a.js"}}',
    'apps/web/package.json': '{"name": "web", "dependencies": {"next": "15"}, "scripts": {"build": "next build", "start": "next start"}}',
  };
  const more = { 'apps/bell/package.json': '{"name": "bell", "dependencies": {"express": "4"}, "scripts": {"start": "node b.js"}}' };
  assert.deepEqual(await offers({ ...files, ...more }), [
    { root: 'apps/api', because: 'Node, Express' },
    { root: 'apps/bell', because: 'Node, Express' },
    { root: 'apps/web', because: 'Node, Next.js' },
  ]);
  const { root, start, choices } = await plan(files);
  assert.deepEqual([root, start], ['apps/api', ['node', 'a.js']], 'the only one that has more than pages is deployed');
  assert.deepEqual(choices, [{ root: 'apps/web', because: 'Node, Next.js' }]);
});

test('a workspace of pnpm whose top has no dependencies of its own is installed for a start command of the top', async () => {
  const files = {
    'package.json': '{"scripts": {"start": "pnpm --filter api start"}}',
    'pnpm-workspace.yaml': 'packages: ["apps/*"]\n',
    'pnpm-lock.yaml': "lockfileVersion: '9.0'\n",
    'apps/api/package.json': '{"name": "api", "dependencies": {"express": "4"}, "scripts": {"start": "node a.js"}}',
  };
  const { install, start } = await plan(files);
  assert.deepEqual(
    [install?.command, install?.needs_source, start],
    [['pnpm', 'install', '--frozen-lockfile', '--prod'], true, ['pnpm', '--filter', 'api', 'start']],
  );
});

test('pages in a folder below a Python agent are named and offered, those of documents and those that the build makes are not', async () => {
  const vite = '{"scripts": {"build": "vite build"}, "devDependencies": {"vite": "7"}}';
  const agent = { 'requirements.txt': 'fastapi\nuvicorn\n', 'main.py': api };
  const found = await plan({ ...agent, 'frontend/package.json': vite, 'docs/package.json': vite });
  assert.equal(found.root, '');
  assert.deepEqual(
    found.choices?.flatMap(({ root }) => root ?? []),
    ['frontend'],
  );
  assert.match(found.warnings.join(' '), /frontend has pages of its own, which are not built here/);
  const built = await plan({
    ...agent,
    'frontend/package.json': vite,
    'paddock.yaml': 'build: sh -c "cd frontend && npm i && npm run build"\n',
  });
  assert.doesNotMatch(built.warnings.join(' '), /pages of its own/);
});

test('projects four levels deep are found where there are none nearer', async () => {
  const deep = { 'README.md': '', 'src/desk/agents/api/requirements.txt': 'fastapi\nuvicorn\n', 'src/desk/agents/api/main.py': api };
  assert.equal((await plan(deep)).root, 'src/desk/agents/api');
});

test('beside folders that have only pages, the one with the agent is deployed, and the others are offered', async () => {
  const vite = '{"scripts": {"build": "vite build"}, "devDependencies": {"vite": "7"}}';
  const files = { 'README.md': '', 'api/requirements.txt': 'fastapi\nuvicorn\n', 'api/main.py': api, 'chat/package.json': vite };
  const found = await plan(files);
  assert.equal(found.root, 'api');
  assert.deepEqual(found.choices?.filter(({ root }) => root === 'chat').length, 1);
  assert.match(found.warnings.join(' '), /api is deployed\. chat has only pages: deploy that Folder as a project of its own\./);
  const next = '{"scripts": {"build": "next build", "start": "next start"}, "dependencies": {"next": "15"}}';
  const rest = { 'README.md': '', 'api/requirements.txt': files['api/requirements.txt'], 'api/main.py': api };
  assert.equal((await plan({ ...rest, 'frontend/package.json': next })).root, 'api');
  const serves = vite.replace('"build"', '"start": "node server.js", "build"');
  assert.match(await refusal({ ...rest, 'chat/package.json': serves, 'chat/server.js': '' }), /own: api .*, chat/);
  assert.match(await refusal({ ...rest, 'chat/package.json': next }), /Folders with an agent of their own: api \(Python, FastAPI\), chat/);
  assert.match(
    await refusal({ ...rest, 'chat/package.json': vite.replace('"vite": "7"', '"vite": "7", "express": "5"') }),
    /own: api .*, chat/,
  );
});

test('a start that installs first and calls a script of a name that every object has is none of the scripts', async () => {
  const files = { 'package.json': '{"scripts": {"start": "npm i && npm run constructor"}, "dependencies": {"hono": "4"}}', 'a.js': '' };
  assert.equal((await plan(files)).start?.join(' ').includes('constructor'), true);
});

test('a script of the project that documents run with arguments, by its name or its module, can be started so', async () => {
  const files = {
    'pyproject.toml': '[project]\nname = "desk"\nversion = "1"\ndependencies = ["httpx"]\n[project.scripts]\ndesk = "desk.run:main"\n',
    'desk/__init__.py': '',
    'desk/run.py': 'def main():\n    pass\n',
    'README.md': '```sh\ndesk --topic "green tea"\npython -m desk.run --topic milk\ndesk --help\n```\n',
  };
  const found = (await plan(files)).choices ?? [];
  const starts = found.flatMap(({ start, because }) => (because.endsWith('with arguments') ? start : []));
  assert.deepEqual(starts, [
    `python -c 'import sys; from desk.run import main; sys.exit(main())' --topic "green tea"`,
    'python -m desk.run --topic milk',
  ]);
});
