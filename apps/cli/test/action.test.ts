// The step of the GitHub Action, run as GitHub's runner does, against the whole platform and a GitHub that answers from a list of comments.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import { cliScopes } from '@paddock/contract';
import { startPlatform } from '@paddock/server/test/platform.ts';

const step = join(import.meta.dirname, '../action/deploy.ts');
const platform = await startPlatform(undefined);
const { api } = await platform.person();
let key = '';
before(async () => {
  key = (await api.apiKeys.create({ name: 'github', scopes: [...cliScopes] })).api_key;
});

const agent = (word: string) => ({
  'package.json': '{"name":"agent","scripts":{"start":"node server.js"}}',
  'server.js': `require('http').createServer((q, r) => r.end('${word}')).listen(process.env.PORT);`,
});

/** GitHub with the comments of one pull request. It refuses other tokens than `writes`. */
async function startGitHub(t: TestContext) {
  const comments: { id: number; body: string }[] = [{ id: 1, body: 'Looks good' }];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const text = Buffer.concat(await request.toArray()).toString();
    const end = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body));
    if (request.headers.authorization !== 'Bearer writes') return end(403, {});
    const path = (request.url ?? '').split('?')[0];
    if (request.method === 'GET' && path === '/repos/ada/desk/issues/7/comments') return end(200, comments);
    const { body } = JSON.parse(text) as { body: string };
    if (request.method === 'POST' && path === '/repos/ada/desk/issues/7/comments') {
      comments.push({ id: comments.length + 1, body });
      return end(201, {});
    }
    const found = comments.find(({ id }) => path === `/repos/ada/desk/issues/comments/${id}`);
    if (request.method !== 'PATCH' || !found) return end(404, {});
    found.body = body;
    return end(200, {});
  };
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, comments };
}

async function run(t: TestContext, files: Record<string, string>, more: Record<string, string>) {
  const home = mkdtempSync(join(tmpdir(), 'paddock-action-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const work = join(home, 'work');
  mkdirSync(work);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(work, name), text);
  const [output, summary] = [join(home, 'output'), join(home, 'summary')];
  const child = spawn(process.execPath, [step], {
    cwd: work,
    env: {
      ...{ PATH: process.env.PATH, HOME: home, RUNNER_TEMP: home, GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary },
      ...{ PADDOCK_URL: platform.origin, PADDOCK_API_KEY: key, GITHUB_REPOSITORY: 'ada/desk', INPUT_CREATE: 'true', ...more },
    },
  });
  let notes = '';
  child.stderr.on('data', (chunk: Buffer) => (notes += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  const read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  return { code, notes, output: read(output), summary: read(summary) };
}

function eventFile(t: TestContext, title: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-event-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'event.json');
  writeFileSync(file, JSON.stringify({ pull_request: { number: 7, title } }));
  return file;
}

test('a push is deployed to production, with the address as output and in the summary', async (t) => {
  const { code, output, summary, notes } = await run(t, agent('pushed'), { INPUT_PROJECT: 'pushed' });
  assert.equal(code, 0, notes);
  const address = /^address=(http\S+)$/m.exec(output)?.[1] ?? '';
  assert.equal((await platform.visit(new URL(address).hostname)).body, 'pushed');
  const [row] = (await api.deployments.list({})).deployments.filter(({ project_name }) => project_name === 'pushed');
  assert.match(output, new RegExp(`^deployment-id=${row?.id}$`, 'm'));
  assert.match(summary, /^### pushed, production$/m);
  assert.match(summary, /^\| Status \| active \|$/m);
  assert.ok(summary.includes(`${platform.origin}/deployments/${row?.id}`));
});

test('a pull request goes to the preview, has its title as message, and one comment that later runs update', async (t) => {
  const github = await startGitHub(t);
  const around = {
    ...{
      INPUT_PROJECT: 'pulled',
      GITHUB_EVENT_PATH: eventFile(t, 'Answer "in" $HOME'),
      GITHUB_API_URL: github.url,
      GITHUB_TOKEN: 'writes',
    },
  };
  assert.equal((await run(t, agent('one'), around)).code, 0);
  const [row] = (await api.deployments.list({ environment: 'preview' })).deployments;
  assert.deepEqual([row?.project_name, row?.message], ['pulled', '#7 Answer "in" $HOME']);
  assert.equal(github.comments.length, 2);
  assert.match(github.comments[1]!.body, /^### pulled, preview$[^]*^\| Status \| active \|$/m);

  const failed = await run(t, { 'main.py': 'raise SystemExit("````no plan was found")\n' }, around);
  assert.equal(failed.code, 1);
  assert.equal(github.comments.length, 2);
  assert.match(github.comments[1]!.body, /^\| Status \| failed \|$[^]*^````text\nStart failed: [^]*no plan was found[^]*\n````$/m);
  assert.ok(!failed.notes.includes(key) && !JSON.stringify(github.comments).includes(key));
});

test('what is refused before it is deployed fails with the words of the tool', async (t) => {
  const { code, summary, output } = await run(t, {}, { INPUT_PROJECT: 'pushed', INPUT_PATH: 'nowhere' });
  assert.notEqual(code, 0);
  assert.match(summary, /^\| Status \| failed \|$[^]*nowhere/m);
  assert.match(output, /^deployment-id=$/m);
});

test('a comment that cannot be written does not fail the deployment, and says why', async (t) => {
  const github = await startGitHub(t);
  const around = { INPUT_PROJECT: 'forked', GITHUB_EVENT_PATH: eventFile(t, 'x'), GITHUB_API_URL: github.url, GITHUB_TOKEN: 'reads' };
  const { code, notes } = await run(t, agent('fork'), around);
  assert.equal(code, 0, notes);
  assert.match(notes, /The comment could not be written: GET \/repos\/ada\/desk\/issues\/7\/comments: status 403/);
});

test('the action passes each of its inputs to the step, and the step reads no other', () => {
  const [action, source] = ['action.yml', 'deploy.ts'].map((name) => readFileSync(join(step, '..', name), 'utf8')) as [string, string];
  const given = [...action.matchAll(/^ {8}([A-Z_]+): \$\{\{ inputs\./gm)].map(([, name]) => name);
  const read = [...source.matchAll(/(?:env\['|required\(')([A-Z_]+)'/g)]
    .map(([, name]) => name)
    .filter((name) => !name?.startsWith('RUNNER'));
  const own = read.filter((name) => !name?.startsWith('GITHUB_') || name === 'GITHUB_TOKEN');
  assert.deepEqual(new Set(own), new Set(given));
});
