// `paddock mcp` as a process: its output, and its behaviour without a server. The server here is a script with responses that no real one gives.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { toolProgram } from '../../../../scripts/test/product.ts';
import { openClient, toolEnv } from '../../test/mcp-client.ts';

const main = toolProgram();
const key = 'pk_test_12345678';
const deployment = { id: 'dep_1', status: 'active', project_name: 'chat', environment: 'production' };

/** A server that answers some paths with a value, and others never. `dropped` is the first path whose request the CLI aborted. */
async function scripted(t: TestContext, answers: Record<string, unknown>) {
  const dropped = Promise.withResolvers<string>();
  const listener: RequestListener = (request, response) => {
    request.resume();
    const path = (request.url ?? '').split('?')[0]!.replace('/api/v1', '');
    if (path in answers) response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers[path]));
    else response.on('close', () => dropped.resolve(path));
  };
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const end = () => {
    server.closeAllConnections();
    server.close();
  };
  t.after(end);
  const { port } = server.address() as AddressInfo;
  const restart = async () => {
    const again = createServer(listener).listen(port, '127.0.0.1');
    t.after(() => {
      again.closeAllConnections();
      again.close();
    });
    await once(again, 'listening');
  };
  return { url: `http://127.0.0.1:${port}`, end, restart, dropped: dropped.promise };
}

test('stdout carries JSON-RPC alone, whatever comes in, and the process ends with its stdin', async (t) => {
  const tool = spawn(process.execPath, [main, 'mcp'], { env: toolEnv(t, { url: 'http://192.0.2.1:9', key }), timeout: 60_000 });
  const [out, err]: [string[], string[]] = [[], []];
  tool.stdout.setEncoding('utf8').on('data', (text: string) => out.push(text));
  tool.stderr.setEncoding('utf8').on('data', (text: string) => err.push(text));
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '0' } };
  const messages = [
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: hello },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { neither: 'request nor answer' },
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'deploy_folder', arguments: { path: 7 } } },
    {
      jsonrpc: '2.0',
      id: 3,
      method: 'tools/call',
      params: { name: 'deploy_folder', arguments: { path: '/nonexistent', project_name: 'x' } },
    },
    { jsonrpc: '2.0', id: 4, method: 'tools/call', params: { name: 'no_such_tool' } },
    { jsonrpc: '2.0', id: 5, method: 'no/such/method' },
  ];
  tool.stdin.write(`not JSON\n${messages.map((message) => JSON.stringify(message)).join('\n')}\n`);
  const answers = () => out.join('').split('\n').slice(0, -1);
  while (answers().length < 5) await once(tool.stdout, 'data');
  tool.stdin.end();
  const [exit] = (await once(tool, 'close')) as [number | null];
  assert.equal(exit, 0);
  const parsed = answers().map((line) => JSON.parse(line) as { jsonrpc: string; id: number; result?: { isError?: boolean } });
  assert.ok(parsed.every(({ jsonrpc }) => jsonrpc === '2.0'));
  const ids = (of: typeof parsed) => of.map(({ id }) => id).toSorted((a, b) => a - b);
  assert.deepEqual(ids(parsed), [1, 2, 3, 4, 5]);
  assert.deepEqual(ids(parsed.filter(({ result }) => result?.isError)), [2, 3, 4]);
  assert.doesNotMatch(out.join(''), /\bat \S+ \(|node:internal/);
  assert.match(err.join(''), /An MCP message could not be read or answered \(SyntaxError\)/);
  assert.match(err.join(''), /The connection to http:\/\/192\.0\.2\.1:9 is not encrypted/);
});

test('a call while the server is away is an error that names the cause, and the next call finds the server again', async (t) => {
  const { url, end, restart } = await scripted(t, { '/projects': { projects: [{ name: 'chat' }], next_cursor: null } });
  const { call, value } = await openClient(t, { url, key });
  assert.equal((await value('list_projects')).projects[0].name, 'chat');
  end();
  const away = await call('list_projects');
  assert.equal(away.isError, true);
  assert.match(away.text, new RegExp(`^list_projects failed: The server at ${url} cannot be reached: .* Check that the server runs`));
  assert.equal(away.value.code, 'network');
  await restart();
  assert.equal((await value('list_projects')).projects[0].name, 'chat');
});

test('without a login each call says how to log in', async (t) => {
  const { call } = await openClient(t, { url: 'http://localhost:9' });
  const { isError, text } = await call('list_projects');
  assert.equal(isError, true);
  assert.match(text, /You are not logged in to http:\/\/localhost:9\. Run: paddock login --url http:\/\/localhost:9\nCode: not_signed_in$/);
});

test('the log of an agent holds no control sequences, and fits into an answer', async (t) => {
  const line = (number: number, message: string) => ({
    id: `${number}`,
    number,
    level: 'info',
    source: 'agent',
    message,
    created_at: '2026-01-31T12:00:00.000Z',
  });
  const long = Array.from({ length: 400 }, (_, at) => line(at + 1, 'x'.repeat(1000)));
  const logs = [...long, line(401, 'y'.repeat(5000)), line(402, '\x1b]0;owned\x07be\u202efore\x1b[2J\u009b31mafter')];
  const { url } = await scripted(t, {
    '/deployments/dep_1': deployment,
    '/deployments/dep_1/logs': { logs, next_cursor: null, searched_to: null },
  });
  const { call } = await openClient(t, { url, key });
  const { text, value } = await call('read_logs', { deployment_id: 'dep_1', limit: 500 });
  assert.equal(value.logs.at(-1).message, 'before31mafter');
  assert.equal(value.logs.at(-2).message, `${'y'.repeat(2000)}…`);
  assert.ok(text.length < 120_000 && value.logs.length < 100);
  const left = logs.length - value.logs.length;
  assert.equal(value.notes[0], `${left} older lines did not fit into this answer: read them with before ${value.logs[0].number}.`);
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  assert.doesNotMatch(text + JSON.stringify(value), /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]|\\u001b/);
});

// Without the cancellation the request would end after 40 s.
test('a call that the client cancels ends its request, and others go on', { timeout: 25_000 }, async (t) => {
  const { url, dropped } = await scripted(t, {
    '/deployments/dep_1': { ...deployment, status: 'building' },
    '/projects': { projects: [], next_cursor: null },
  });
  const { client, value } = await openClient(t, { url, key });
  const cancelled = new AbortController();
  const waiting = client.callTool({ name: 'get_deployment', arguments: { deployment_id: 'dep_1', wait_s: 600 } }, undefined, {
    signal: cancelled.signal,
    onprogress: () => cancelled.abort(new Error('cancelled by the test')),
  });
  await assert.rejects(waiting, /cancelled by the test/);
  assert.equal(await dropped, '/changes');
  assert.deepEqual(await value('list_projects'), { projects: [] });
});

test('each tool says whether it only reads or may replace what is there, and stands in docs/cli.md', async (t) => {
  const { client } = await openClient(t, { url: 'http://localhost:9' });
  const { tools } = await client.listTools();
  const named = (holds: (hints: { readOnlyHint?: boolean | undefined; destructiveHint?: boolean | undefined }) => boolean) =>
    tools.flatMap(({ name, annotations = {} }) => (holds(annotations) ? [name] : [])).toSorted();
  assert.deepEqual(
    named(({ readOnlyHint }) => readOnlyHint === true),
    [
      ...[
        'compare_deployments',
        'get_deployment',
        'get_metrics',
        'get_model_usage',
        'get_trace',
        'list_deployments',
        'list_projects',
        'list_traces',
      ],
      ...['list_variables', 'read_logs'],
    ],
  );
  assert.deepEqual(
    named(({ readOnlyHint, destructiveHint }) => readOnlyHint === false && destructiveHint === true),
    ['deploy_folder', 'redeploy', 'restart_deployment', 'rollback', 'set_variable', 'stop_deployment'],
  );
  assert.deepEqual(
    named(({ readOnlyHint, destructiveHint }) => readOnlyHint === false && destructiveHint === false),
    ['create_project'],
  );
  const guide = readFileSync(join(import.meta.dirname, '../../../../docs/cli.md'), 'utf8');
  assert.deepEqual(
    tools.filter(({ name }) => !guide.includes(`\`${name}\``)),
    [],
  );
  for (const name of ['read_logs', 'deploy_folder', 'get_deployment', 'list_traces', 'get_trace', 'get_model_usage'])
    assert.match(tools.find((each) => each.name === name)?.description ?? '', /untrusted data/);
});
