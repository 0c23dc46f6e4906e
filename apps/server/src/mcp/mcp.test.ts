import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Scope } from '@paddock/contract';
import { mcpLimits } from '@paddock/contract/limits';
import { startPlatform } from '../../test/platform.ts';
import { type Api, startApi } from '../../test/server.ts';

const keyWith = async (api: Api, scopes: Scope[]) => (await api.apiKeys.create({ name: 'agent', scopes })).api_key;

/** The official client, which a coding agent would use. */
async function connect(t: TestContext, origin: string, key: string) {
  const client = new Client({ name: 'coder', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit: { headers: { authorization: `Bearer ${key}` } } }),
  );
  t.after(() => client.close());
  return {
    client,
    async call(name: string, input: Record<string, unknown> = {}) {
      const { structuredContent, isError = false } = await client.callTool({ name, arguments: input });
      return { value: structuredContent as Record<string, Record<string, unknown>>, isError };
    },
  };
}

const server = (word: string) => `const { createServer } = require('node:http');
createServer((_, response) => response.end('${word}')).listen(process.env.PORT);
console.log('\\u001b[2Jserving ${word}');
`;

test('a coding agent deploys files over HTTP, sees what changed, reads the log, and goes back', async (t) => {
  const paddock = await startPlatform(t);
  const { api } = await paddock.person();
  const key = await keyWith(api, ['projects:read', 'projects:write', 'agents:read', 'agents:write', 'agents:deploy', 'logs:read']);
  const { call } = await connect(t, paddock.origin, key);

  const first = await call('deploy_files', { project_name: 'desk', files: { 'server.js': server('one') } });
  assert.deepEqual([first.isError, first.value['deployment']!['status']], [false, 'active'], JSON.stringify(first.value));
  const second = await call('deploy_files', { project_name: 'desk', files: { 'server.js': server('two'), 'notes.txt': 'n' } });
  assert.equal((await paddock.visit('desk.localhost')).body, 'two');
  const id = String(second.value['deployment']!['id']);
  const { changes } = (await call('compare_deployments', { id })).value as unknown as { changes: { files: { list: object[] } } };
  assert.deepEqual(
    changes.files.list.map((file) => Object.values(file).slice(0, 2)),
    [
      ['notes.txt', 'added'],
      ['server.js', 'changed'],
    ],
  );
  const { logs } = (await call('read_logs', { id, search: 'serving' })).value as unknown as { logs: { message: string }[] };
  assert.deepEqual(
    logs.map(({ message }) => message),
    ['serving two'],
    'without control sequences',
  );
  const back = await call('rollback', { id: String(first.value['deployment']!['id']) });
  assert.equal(back.value['deployment']!['status'], 'active');
  assert.equal((await paddock.visit('desk.localhost')).body, 'one');

  const broken = await call('deploy_files', {
    project_name: 'broken',
    files: { 'server.js': "console.log('before'); throw new Error('no tea');" },
  });
  assert.equal(broken.isError, true);
  assert.match(String(broken.value['deployment']!['error_message']), /no tea/);
  assert.ok((broken.value['logs'] as unknown as { message: string }[]).some(({ message }) => message === 'before'));

  const silent = await connect(t, paddock.origin, await keyWith(api, ['projects:read', 'projects:write', 'agents:read', 'agents:deploy']));
  const unread = await silent.call('deploy_files', { project_name: 'broken', files: { 'server.js': "throw new Error('no tea');" } });
  assert.match(String(unread.value['deployment']!['error_message']), /no tea/);
  assert.match(String(unread.value['logs_problem']), /logs:read/, 'a key without that scope hears why there are no lines');

  const { logs: records } = await api.governance.auditLogs({ search: 'deployment.rollback' });
  assert.equal(records[0]?.actor.type, 'key', 'the trail names the key');
});

test('a tool may do what the scopes of its key allow, and a refusal tells the scope', async (t) => {
  const { origin, person } = await startApi(t);
  const { api } = await person();
  const { client, call } = await connect(t, origin, await keyWith(api, ['projects:read']));
  assert.equal((await client.listTools()).tools.length, 17);
  assert.deepEqual((await call('list_projects')).value['projects'], []);
  const refused = await call('create_project', { name: 'desk' });
  assert.equal(refused.isError, true);
  assert.equal(refused.value['code'], 'scope_missing');
  const wrong = await call('list_projects', { limit: 0 });
  assert.equal(wrong.isError, true);
});

test('a request without a key, with a wrong one, of another method, or that is too large is refused', async (t) => {
  const { origin, person } = await startApi(t);
  const post = (headers: Record<string, string>, body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}') =>
    fetch(`${origin}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body,
    });
  const none = await post({});
  assert.deepEqual([none.status, none.headers.get('www-authenticate')], [401, 'Bearer realm="Paddock"']);
  assert.equal((await post({ authorization: 'Bearer pk_live_wrong' })).status, 401);
  assert.equal((await post({ cookie: 'session=1' })).status, 401);
  const other = await fetch(`${origin}/mcp`);
  assert.deepEqual([other.status, other.headers.get('allow')], [405, 'POST']);
  const { api } = await person();
  const authorization = `Bearer ${await keyWith(api, ['projects:read'])}`;
  assert.equal((await post({ authorization })).status, 200);
  assert.equal((await post({ authorization }, '{"jsonrpc":')).status, 400);
  assert.equal((await post({ authorization }, '[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]')).status, 422, 'a batch');
  assert.equal((await post({ authorization }, `{"x":"${'a'.repeat(mcpLimits.bodyBytes)}"}`)).status, 413);
});

test('each tool says whether it only reads or may replace what is there, and stands in docs/cli.md', async (t) => {
  const { origin, person } = await startApi(t);
  const { client } = await connect(t, origin, await keyWith((await person()).api, ['projects:read']));
  const { tools } = await client.listTools();
  const named = (holds: (hints: { readOnlyHint?: boolean | undefined; destructiveHint?: boolean | undefined }) => boolean) =>
    tools.flatMap(({ name, annotations = {} }) => (holds(annotations) ? [name] : [])).toSorted();
  assert.deepEqual(
    named(({ readOnlyHint, destructiveHint }) => readOnlyHint !== true && destructiveHint !== false),
    ['deploy_files', 'redeploy', 'restart_deployment', 'rollback', 'set_variable', 'stop_deployment'],
  );
  const guide = readFileSync(join(import.meta.dirname, '../../../../docs/cli.md'), 'utf8');
  assert.deepEqual(
    tools.filter(({ name }) => !guide.includes(`\`${name}\``)),
    [],
  );
});
