import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planFiles, planRefusal } from '../../test/plan-files.ts';

const pages = JSON.stringify({ scripts: { start: 'next start', build: 'next build' }, dependencies: { next: '15' } });
const crew = { 'requirements.txt': 'crewai\n', 'src/crew/work.py': 'def work():\n    pass\n' };

test('an app in Node that calls Python is started by package.json if nothing starts Python, and the list beside it is named', async () => {
  const plan = await planFiles({ ...crew, 'package.json': pages, 'src/page.tsx': '' });
  assert.deepEqual([plan.language, plan.start, plan.framework], ['node', ['next', 'start'], 'Next.js']);
  assert.ok(plan.warnings.some((each) => each.startsWith('requirements.txt is not installed: nothing in the archive starts Python')));
});

test('Python that something starts, and a package.json without a start, are taken as before', async () => {
  const both = { ...crew, 'package.json': pages, 'src/page.tsx': '' };
  assert.equal((await planFiles({ ...both, 'main.py': '' })).language, 'python');
  assert.equal((await planFiles({ ...both, Dockerfile: 'FROM python:3.12\nCOPY . .\nCMD python -m src.crew.work\n' })).language, 'python');
  assert.equal((await planFiles(both, { start: 'python -m src.crew.work' })).language, 'python');
  assert.match(await planRefusal({ ...both, 'package.json': '{}' }), /how the Python agent starts/);
});

test('a folder that only declares types is not offered as an agent', async () => {
  const text = await planRefusal({ ...crew, 'pages/types/index.ts': 'export type A = string;\n', 'pages/bot/index.ts': '' });
  assert.match(text, /pages\/bot/);
  assert.doesNotMatch(text, /pages\/types/);
});

test('an agent of ADK whose folder is the package itself is served from the folder above it', async () => {
  const agent = 'from google.adk.agents import Agent\nfrom .tools import all_tools\nroot_agent = Agent(name="desk", tools=all_tools)\n';
  const files = {
    'src/requirements.txt': 'google-adk\n',
    'src/__init__.py': '',
    'src/agent.py': agent,
    'src/tools.py': 'all_tools = []\n',
  };
  const { root, start, type, framework } = await planFiles(files);
  assert.deepEqual([root, type, framework], ['src', 'web', 'Google ADK']);
  assert.deepEqual(start, ['adk', 'web', '--host', '0.0.0.0', '--port', '$PORT', '--', '..']);
  const script = { ...files, 'src/agent.py': agent.replace('from .tools', 'from tools') };
  assert.deepEqual((await planFiles(script)).start, ['python', 'agent.py'], 'a file that imports as a script does');
});
