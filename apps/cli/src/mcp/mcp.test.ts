// The tools of `paddock mcp`, called by the official client, against the whole platform.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { cliScopes, type Scope } from '@paddock/contract';
import { zip } from '@paddock/server/test/archives.ts';
import { startPlatform, until } from '@paddock/server/test/platform.ts';
import { openClient } from '../../test/mcp-client.ts';

const platform = await startPlatform(undefined);
const { api } = await platform.person();

/** The client with a key of its own. */
async function open(t: TestContext, scopes: readonly Scope[] = cliScopes) {
  const { api_key } = await api.apiKeys.create({ name: 'agent', scopes: [...scopes] });
  return openClient(t, { url: platform.origin, key: api_key });
}

function folderOf(t: TestContext, files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-mcp-agent-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** A web agent that answers with a word, and logs visits of /one as errors. */
const agent = (word: string) => ({
  'package.json': '{"name":"agent","type":"module","scripts":{"start":"node server.js"}}',
  'server.js': `import { createServer } from 'node:http';
createServer((request, response) => {
  if (request.url === '/one') console.error('ERROR visited ' + request.url);
  response.end('${word} ' + (process.env.MODE ?? 'plain'));
}).listen(process.env.PORT, () => console.log('ready for visits'));`,
});

const visit = async (url: string, path = '/') => (await platform.visit(new URL(url).hostname, path)).body;

test('a folder is deployed, answers at its address, and its log, metrics and traces are read', async (t) => {
  const { call, value } = await open(t);
  const path = folderOf(t, { ...agent('hello'), '.env': 'MODEL_KEY=from-the-file', '.gitignore': 'junk\n', junk: 'x' });
  const messages: string[] = [];
  const deployed = await call('deploy_folder', { path, project_name: 'greeter', create: true }, ({ message = '' }) =>
    messages.push(message),
  );
  assert.equal(deployed.isError, false, deployed.text);
  const { deployment, left_behind } = deployed.value;
  assert.equal(deployment.status, 'active');
  assert.match(deployed.text, new RegExp(`^${deployment.id} \\(greeter, production\\) is active\\. Address: ${deployment.url}`));
  assert.deepEqual(left_behind, ['.env stays here. To set its values: paddock env set --project greeter --file .env']);
  assert.ok(messages.includes('Packing 3 files'), messages.join('\n'));
  assert.ok(messages.includes(`${deployment.id} is building`) || messages.includes(`${deployment.id} is deploying`), messages.join('\n'));
  assert.equal(await visit(deployment.url, '/one'), 'hello plain');

  const target = { project_name: 'greeter' };
  await until('the visit is logged', async () => (await value('read_logs', { ...target, search: 'VISITED /one' })).logs.length === 1);
  const { logs } = await value('read_logs', target);
  const numbers = logs.map(({ number }: { number: number }) => number);
  assert.deepEqual(
    numbers,
    numbers.toSorted((a: number, b: number) => a - b),
  );
  const { logs: earlier } = await value('read_logs', { ...target, before: numbers.at(-1), limit: 1 });
  assert.equal(earlier[0].number, numbers.at(-1) - 1);
  assert.match(
    (await call('read_logs', { ...target, level: 'error' })).text,
    /untrusted data of the agent: 1 lines\n\d+ \S+ error agent {2}.*visited \/one$/,
  );

  const { metrics } = await value('get_metrics', { ...target, time_range: '1h' });
  assert.equal(metrics.agent_name, 'greeter');
  assert.equal(metrics.p95_latency_over_time, undefined);
  await until('the visit is traced', async () => (await value('list_traces', target)).traces.length === 1);
  const { traces } = await value('list_traces', target);
  const { trace } = await value('get_trace', { ...target, trace_id: traces[0].trace_id });
  assert.equal(trace.spans[0].type, 'request');
  assert.equal(trace.spans[0].attributes, undefined);
  const { model_usage, totals } = await value('get_model_usage', { environment: 'production' });
  assert.deepEqual([model_usage, totals.calls], [[], 0]);

  const { deployments } = await value('list_deployments', target);
  assert.deepEqual(
    deployments.map(({ id, is_current }: { id: string; is_current: boolean }) => [id, is_current]),
    [[deployment.id, true]],
  );
  const { projects } = await value('list_projects');
  assert.ok(projects.some(({ name }: { name: string }) => name === 'greeter'));
});

test('a deployment that fails is an error with its message and its last log lines', async (t) => {
  const { call, value } = await open(t);
  const path = folderOf(t, { 'main.py': 'import sys\nprint("looking for the plan")\nsys.exit("no plan was found")\n' });
  const failed = await call('deploy_folder', { path, project_name: 'broken', create: true });
  assert.equal(failed.isError, true);
  const { deployment, logs } = failed.value;
  assert.equal(deployment.status, 'failed');
  assert.ok(
    failed.text.startsWith(`${deployment.id} (broken, production) failed while deploying: ${deployment.error_message}`),
    failed.text,
  );
  const messages = logs.map(({ message }: { message: string }) => message);
  assert.ok(messages.includes('looking for the plan') && messages.includes('no plan was found'), messages.join('\n'));

  const found = await value('get_deployment', { deployment_id: deployment.id });
  assert.equal(found.deployment.failed_stage, 'deploying');
  assert.equal(found.deployment.error_message, deployment.error_message);
});

test('a variable acts after a redeploy, its value is never given back, and a rollback leads to the code before', async (t) => {
  const { call, value, stderr } = await open(t);
  const secret = 'v4lue-that-nobody-sees';
  const target = { project_name: 'modes' };
  const answers: string[] = [];
  const noted = async (name: string, given: Record<string, unknown>) => {
    const answer = await call(name, given);
    answers.push(JSON.stringify(answer));
    return answer;
  };
  const first = await call('deploy_folder', { path: folderOf(t, agent('first')), ...target, create: true });
  assert.equal(first.value.deployment.status, 'active', first.text);
  const second = await call('deploy_folder', { path: folderOf(t, agent('second')), ...target });
  assert.equal(second.value.deployment.status, 'active', second.text);

  assert.equal((await noted('set_variable', { ...target, key: 'MODE', value: secret })).isError, false);
  assert.equal((await noted('set_variable', { ...target, key: 'PORT', value: secret })).isError, true);
  assert.equal((await noted('set_variable', { ...target, key: 'MODE', value: secret, environment: secret.length })).isError, true);
  const listed = await noted('list_variables', target);
  assert.deepEqual(
    listed.value.variables.map(({ key }: { key: string }) => key),
    ['MODE'],
  );
  assert.equal(await visit(second.value.deployment.url), 'second plain');
  await value('redeploy', target);
  assert.equal(await visit(second.value.deployment.url), `second ${secret}`);
  await value('rollback', target);
  assert.equal(await visit(second.value.deployment.url), `first ${secret}`);
  assert.doesNotMatch(answers.join('\n') + stderr(), new RegExp(secret));

  const { deployment } = await value('stop_deployment', target);
  assert.equal((await api.deployments.get({ id: deployment.id })).status, 'stopped');
  assert.match((await call('stop_deployment')).text, /Give deployment_id or project_name/);
});

test('a .zip file is sent as it is, and a wait that is over before the outcome gives the state', async (t) => {
  const { call, value } = await open(t);
  const path = join(folderOf(t, { 'note.txt': 'x' }), 'agent.zip');
  writeFileSync(path, Buffer.from(await zip(agent('zipped')).arrayBuffer()));
  assert.match((await call('deploy_folder', { path })).text, /A \.zip file needs project_name/);
  const started = await call('deploy_folder', { path, project_name: 'zipped', create: true, wait_s: 0 });
  assert.equal(started.isError, false, started.text);
  assert.match(started.text, /goes on\. get_deployment with wait_s waits for its outcome/);
  const { id } = started.value.deployment;
  const { deployment } = await value('get_deployment', { deployment_id: id, wait_s: 300 });
  assert.equal(deployment.status, 'active');
  assert.equal(deployment.source_name, 'agent.zip');
  assert.match(await visit(deployment.url), /^zipped/);
});

test('a mistyped project makes none, and what is not there is told', async (t) => {
  const { call, value, home } = await open(t);
  const path = folderOf(t, agent('never'));
  const mistyped = await call('deploy_folder', { path, project_name: 'greeterr' });
  assert.match(mistyped.text, /There is no project greeterr .*create: true creates this one\. Nothing was sent\.\nCode: not_found$/);
  assert.match((await call('deploy_folder', { path: 'nowhere', project_name: 'x' })).text, new RegExp(`${home}/nowhere is no folder`));
  const { project } = await value('create_project', { name: 'made-by-name', description: 'for the test' });
  assert.match((await call('create_project', { name: 'made-by-name' })).text, /\nCode: project_name_taken \(status 409, request \S+\)$/);
  const names = (await api.projects.list()).projects.map(({ name }) => name);
  assert.ok(names.includes(project.name) && !names.includes('greeterr'));
});

test('a key without the scope is refused with the sentence of the API, and what to do', async (t) => {
  const { api_key } = await api.apiKeys.create({ name: 'reader', scopes: ['projects:read', 'agents:read'] });
  const reader = await openClient(t, { url: platform.origin, key: api_key });
  assert.equal((await reader.call('list_projects')).isError, false);
  const path = folderOf(t, agent('never'));
  const refused = await reader.call('deploy_folder', { path, project_name: 'refused', create: true });
  assert.equal(refused.isError, true);
  const headers = { authorization: `Bearer ${api_key}` };
  const answer = await fetch(`${platform.origin}/api/v1/deployments/sample`, { method: 'POST', headers });
  const { code, detail } = (await answer.json()) as { code: string; detail: string };
  assert.match(detail, /agents:deploy/);
  assert.equal(refused.value.code, code);
  assert.ok(refused.text.startsWith(`deploy_folder failed: ${detail}\n`), refused.text);
  assert.match(refused.text, /Create a key that has it in the console/);
  assert.ok(!(await api.projects.list()).projects.some(({ name }) => name === 'refused'));

  const deployer = await open(t, ['projects:read', 'projects:write', 'agents:read', 'agents:deploy']);
  const failing = folderOf(t, { 'main.py': 'raise SystemExit("no plan was found")\n' });
  const failed = await deployer.call('deploy_folder', { path: failing, project_name: 'unread', create: true });
  assert.match(failed.text, /failed while deploying: /);
  assert.match(failed.value.logs_problem, /logs:read/);
});

test('the key is in no answer and on no stream', async (t) => {
  const { api_key } = await api.apiKeys.create({ name: 'agent', scopes: ['projects:read'] });
  const { call, stderr, home } = await openClient(t, { url: platform.origin, key: api_key });
  const answers = [await call('list_projects'), await call('list_variables', { project_name: 'none' }), await call('read_logs')];
  assert.ok(!`${JSON.stringify(answers)}${stderr()}`.includes(api_key));
  assert.throws(() => readFileSync(join(home, '.config/paddock/config.json')), { code: 'ENOENT' });
});
