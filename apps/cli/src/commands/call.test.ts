import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import type { TryEvent } from '@paddock/contract';
import { run } from '../databases/scripted-api.ts';
import { parseRequest } from './call.ts';

/** A server with one agent, which answers with these events. */
async function server(t: TestContext, events: TryEvent[]) {
  const asked: unknown[] = [];
  async function answer(request: IncomingMessage, response: ServerResponse) {
    const body = Buffer.concat(await request.toArray()).toString();
    if (request.method === 'GET') return response.end(JSON.stringify({ id: 'dep_1' }));
    asked.push(JSON.parse(body));
    for (const event of events) response.write(`${JSON.stringify(event)}\n`);
    return response.end();
  }
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, asked };
}
const head = (status: number): TryEvent => ({ head: { status, first_byte_ms: 1, headers: [{ name: 'x-a', value: 'b' }] } });
const chunk = (text: string): TryEvent => ({ chunk: Buffer.from(text).toString('base64') });
const end = (outcome: 'complete' | 'broken', detail = ''): TryEvent => ({ end: { outcome, detail, bytes: 1, total_ms: 1 } });

test("an agent's answer is printed as it came, and a terminal gets nothing that it would act upon", async (t) => {
  const { url, asked } = await server(t, [head(200), chunk('gr\x1b]52;c;eA==\x07'), chunk('üß\x1b[2J\n'), end('complete')]);
  const piped = await run(url, ['call', 'dep_1', '-H', 'x: y', '-H', 'z: 1', '/chat', '-d', '{"message":"Hi"}']);
  assert.deepEqual([piped.code, piped.out, piped.notes], [0, 'gr\x1b]52;c;eA==\x07üß\x1b[2J\n', '']);
  const headers = [
    { name: 'x', value: 'y' },
    { name: 'z', value: '1' },
    { name: 'content-type', value: 'application/json' },
  ];
  assert.deepEqual(asked, [{ method: 'POST', path: '/chat', headers, body: '{"message":"Hi"}' }]);
  assert.equal((await run(url, ['call', 'dep_1', '/'], { typed: '' })).out, 'grüß\n');
});

test('a refusal of the agent and an answer that broke off end with 1 and say so', async (t) => {
  const refused = await server(t, [head(404), chunk('no'), end('complete')]);
  assert.deepEqual(await run(refused.url, ['call', 'dep_1', '/x', '-i']), { code: 1, out: 'no', notes: 'Status 404\nx-a: b\n\n' });
  const broken = await server(t, [head(200), end('broken', 'The connection ended.')]);
  assert.deepEqual(await run(broken.url, ['call', 'dep_1', '/']), { code: 1, out: '', notes: 'The connection ended.\n' });
});

test('the words of the command tell method, path, headers and body', () => {
  assert.deepEqual(parseRequest(['/'], {}), { method: 'GET', path: '/', headers: [], body: '' });
  const header = ['Content-Type: text/plain', 'x: y: z'];
  const headers = [
    { name: 'Content-Type', value: 'text/plain' },
    { name: 'x', value: 'y: z' },
  ];
  assert.deepEqual(parseRequest(['put', '/a'], { data: '{}', header }), { method: 'PUT', path: '/a', headers, body: '{}' });
  for (const request of [['chat'], ['FETCH', '/'], ['GET', '/', '/']]) assert.throws(() => parseRequest(request, {}), /Name a path/);
  assert.throws(() => parseRequest(['/'], { header: ['nonsense'] }), /not a header/);
});
