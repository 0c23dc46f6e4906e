import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const home = mkdtempSync(join(tmpdir(), 'paddock-mcp-'));
const running: ReturnType<typeof spawn>[] = [];
after(() => {
  for (const child of running) child.kill();
  rmSync(home, { recursive: true, force: true });
});

// Answers each request with its process and the method. "ask" first sends a request from the server to the client.
const server = `
const out = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
console.error('hello from the server');
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, result } = JSON.parse(line);
  if (method === 'ask') out({ id: 's1', method: 'sampling/createMessage' });
  if (method === 'die') process.exit(3);
  if (method === 'initialize') return out({ id, result: { serverInfo: { name: 'toy' } } });
  if (method !== undefined && id !== undefined) out({ id, result: { pid: process.pid, method } });
  if (result !== undefined) out({ method: 'notifications/heard', params: result });
});`;

async function start(source: string) {
  writeFileSync(join(home, 'server.cjs'), source);
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  const launcher = fileURLToPath(new URL('./serve_mcp_stdio.mjs', import.meta.url));
  const child = spawn(process.execPath, [launcher, '--', process.execPath, join(home, 'server.cjs')], {
    env: { PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()));
  const ended = once(child, 'exit').then(([code]) => ({ code: code as number, output }));
  const ready = (async () => {
    for await (const part of child.stdout) if (String(part).includes('MCP over HTTP')) return undefined;
    return ended;
  })();
  return { url: `http://127.0.0.1:${port}/mcp`, ended: await Promise.race([ready, ended]), output: () => output };
}

function call(url: string, message: object, { session, accept = 'application/json' }: { session?: string; accept?: string } = {}) {
  const headers = { 'content-type': 'application/json', accept, ...(session === undefined ? {} : { 'mcp-session-id': session }) };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) });
}
const begin = async (url: string) => (await call(url, { id: 1, method: 'initialize' })).headers.get('mcp-session-id') ?? '';
const result = async (answer: Response) => ((await answer.json()) as { result: Record<string, unknown> }).result;
const events = async (answer: Response) =>
  [...(await answer.text()).matchAll(/^data: (.*)$/gm)].map((match) => JSON.parse(match[1] ?? '') as Record<string, unknown>);

test('a server on stdin and stdout answers over HTTP, each session from a process of its own', async () => {
  const { url } = await start(server);
  assert.deepEqual(await (await fetch(new URL('/', url))).json(), { name: 'toy', transport: 'streamable-http', endpoint: '/mcp' });
  const [a, b] = [await begin(url), await begin(url)];
  const first = await result(await call(url, { id: 2, method: 'tools/list' }, { session: a }));
  assert.equal(first.method, 'tools/list');
  assert.equal((await result(await call(url, { id: 3, method: 'x' }, { session: a }))).pid, first.pid);
  assert.notEqual((await result(await call(url, { id: 2, method: 'x' }, { session: b }))).pid, first.pid);
  assert.equal((await call(url, { method: 'notifications/initialized' }, { session: a })).status, 202);
});

test('what the server sends on its own comes with the stream of the request', async () => {
  const { url } = await start(server);
  const session = await begin(url);
  const seen = await events(await call(url, { id: 4, method: 'ask' }, { session, accept: 'application/json, text/event-stream' }));
  assert.deepEqual(
    seen.map((message) => message.id),
    ['s1', 4],
  );
  assert.equal((await call(url, { id: 's1', result: 'yes' }, { session })).status, 202);
  const later = await events(await call(url, { id: 5, method: 'x' }, { session, accept: 'text/event-stream' }));
  assert.ok(
    later.some((message) => message.method === 'notifications/heard'),
    'kept until there is a stream',
  );
});

test('sessions that are unknown, ended or dead are refused, and nobody waits for a dead server', async () => {
  const { url } = await start(server);
  assert.equal((await call(url, { id: 1, method: 'x' }, { session: 'nobody' })).status, 404);
  assert.equal((await call(url, { id: 1, method: 'x' })).status, 404);
  const session = await begin(url);
  const dead = (await (await call(url, { id: 2, method: 'die' }, { session })).json()) as { error: { message: string } };
  assert.match(dead.error.message, /has ended/);
  assert.equal((await call(url, { id: 3, method: 'x' }, { session })).status, 404);
  const other = await begin(url);
  assert.equal((await fetch(url, { method: 'DELETE', headers: { 'mcp-session-id': other } })).status, 204);
  assert.equal((await call(url, { id: 3, method: 'x' }, { session: other })).status, 404);
  assert.equal((await fetch(url, { method: 'POST', body: '[]' })).status, 400);
});

test('a server that fails at its start ends the bridge with its exit code and output', async () => {
  const { ended, output } = await start('console.error("API_KEY is required"); process.exit(7);');
  assert.equal(ended?.code, 7);
  assert.match(output(), /API_KEY is required/);
});

test('there are never more than sixteen processes: the one idle longest makes room', async () => {
  const { url } = await start(server);
  const first = await begin(url);
  for (let i = 0; i < 16; i++) await begin(url);
  assert.equal((await call(url, { id: 2, method: 'x' }, { session: first })).status, 404);
});
