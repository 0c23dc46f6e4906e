import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import type { Protocol } from '@paddock/contract';
import { recognise } from './recognise.ts';

type Answering = (request: IncomingMessage, response: ServerResponse, body: string) => unknown;

async function asked(t: TestContext, answer: Answering, framework = '') {
  const lines: string[] = [];
  const server = createServer((request, response) => {
    lines.push(`${request.method} ${request.url}`);
    void request.toArray().then((pieces) => answer(request, response, Buffer.concat(pieces).toString()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.closeAllConnections());
  t.after(() => void server.close());
  const { port } = server.address() as { port: number };
  const agent = { host: '127.0.0.1', port, url: 'http://spoken--12345678.localhost:4001', open: [] };
  return { found: await recognise(agent, { framework, local_host: 'localhost:8000' }, new AbortController().signal), lines };
}
const json = (response: ServerResponse, value: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
const refuse = (response: ServerResponse) => json(response, { detail: 'Not Found' }, 404);
const answering =
  (values: Record<string, unknown>): Answering =>
  ({ url = '' }, response) =>
    url in values ? json(response, values[url]) : refuse(response);
const kinds = (found: { protocols: Protocol[] } | undefined) => found?.protocols.map(({ kind }) => kind);

/** An MCP server that requires its session, and responds with event streams that never end. */
const mcpServer =
  (tools: unknown[]): Answering =>
  ({ method, url, headers }, response, body) => {
    if (url !== '/mcp') return refuse(response);
    if (method === 'DELETE') return response.writeHead(200).end();
    const { id, method: called } = JSON.parse(body);
    if (called !== 'initialize' && headers['mcp-session-id'] !== 's-1') return json(response, {}, 400);
    if (id === undefined) return response.writeHead(202).end();
    const result =
      called === 'initialize'
        ? { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'notebook', version: '1' }, instructions: 'Keeps notes.' }
        : { tools };
    response.writeHead(200, { 'content-type': 'text/event-stream', 'mcp-session-id': 's-1' });
    response.write(`event: message\ndata: {"jsonrpc":"2.0","method":"notifications/x"}\n\n: ping\n\nevent: message\r\nda`);
    return response.write(`ta: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\r\n\r\n`);
  };

test('an agent that speaks everything is recognised by GETs alone, and by the beginning of an MCP session', async (t) => {
  const card = {
    ...{
      name: 'Recipes',
      description: 'Cooks',
      protocolVersion: '0.3.0',
      url: 'https://elsewhere.example/rpc',
      preferredTransport: 'JSONRPC',
    },
    skills: [{ id: 'cook', name: 'Cook', description: 'Finds a recipe' }],
  };
  const schemas = {
    Chat: { properties: { message: { type: 'string', examples: ['Hi'] }, top: { type: 'integer' } }, required: ['message'] },
  };
  const route = { summary: 'Talk', requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Chat' } } } } };
  const others = answering({
    '/ping': { status: 'HealthyBusy', time_of_last_update: 1 },
    '/v1/models': { object: 'list', data: [{ id: 'small', object: 'model' }] },
    '/.well-known/agent-card.json': card,
    '/openapi.json': {
      openapi: '3.1.0',
      info: { title: 'All', version: '2' },
      paths: {
        '/chat': { post: route },
        ...Object.fromEntries(['/ping', '/v1/models', '/ok', '/info', '/list-apps', '/eve/v1/health'].map((path) => [path, { get: {} }])),
      },
      components: { schemas },
    },
    '/ok': { ok: true },
    '/info': { version: '0.4.1' },
    '/list-apps': ['weather'],
    '/eve/v1/health': { ok: true, status: 'ready', workflowId: 'workflow//eve//conversation' },
  });
  const note = { type: 'object', properties: { text: { type: 'string', description: 'The note' } }, required: ['text'] };
  const server = mcpServer([{ name: 'add_note', description: 'Keep a note.', inputSchema: note }]);
  const { found, lines } = await asked(t, (request, ...more) => (request.url === '/mcp' ? server : others)(request, ...more));
  assert.deepEqual(kinds(found), ['agentcore', 'openai', 'a2a', 'langgraph', 'adk', 'eve', 'mcp', 'openapi']);
  const [, openai, a2a, , , , mcp, openapi] = found!.protocols;
  assert.deepEqual(
    openai?.items.map(({ name }) => name),
    ['small'],
  );
  assert.deepEqual([a2a?.name, a2a?.path, a2a?.version, a2a?.items[0]?.name], ['Recipes', '/rpc', '0.3.0', 'Cook']);
  assert.deepEqual([mcp?.name, mcp?.description, mcp?.path], ['notebook', 'Keeps notes.', '/mcp']);
  const text = { name: 'text', type: 'string', required: true, description: 'The note', choices: [] };
  assert.deepEqual(mcp?.items, [
    { name: 'add_note', description: 'Keep a note.', method: 'POST', path: '/mcp', fields: [text], example: '{\n  "text": ""\n}' },
  ]);
  assert.deepEqual([openapi?.items[0]?.name, openapi?.items[0]?.example], ['POST /chat', '{\n  "message": "Hi"\n}']);
  assert.deepEqual(new Set(lines.filter((line) => !line.startsWith('GET '))), new Set(['POST /mcp', 'DELETE /mcp']));
});

test('an agent that lists its routes is asked for no others, but for what is mounted into an app', async (t) => {
  const { found, lines } = await asked(t, answering({ '/openapi.json': { openapi: '3.1.0', paths: { '/ask': { post: {} } } } }));
  assert.deepEqual(kinds(found), ['openapi']);
  assert.deepEqual(lines, ['GET /paddock-asks-for-nothing', 'GET /openapi.json', 'GET /.well-known/agent-card.json', 'POST /mcp']);
});

test('an older card, a card of version 1, a schema that names the OpenAI route, and /mcp/ behind a redirect are recognised', async (t) => {
  const first = await asked(t, answering({ '/.well-known/agent.json': { name: 'Old', url: 'http://localhost:9999/', skills: [] } }));
  assert.deepEqual(
    first.found?.protocols.map(({ kind, path }) => [kind, path]),
    [['a2a', '/']],
  );
  const supportedInterfaces = [
    { url: 'http://x/grpc', protocolBinding: 'GRPC', protocolVersion: '1.0' },
    { url: 'http://x/a2a/v1', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
  ];
  const second = await asked(t, answering({ '/.well-known/agent-card.json': { name: 'New', supportedInterfaces, skills: [] } }));
  assert.deepEqual(
    second.found?.protocols.map(({ path, version }) => [path, version]),
    [['/a2a/v1', '1.0']],
  );
  const third = await asked(t, answering({ '/openapi.json': { openapi: '3.0.0', paths: { '/v1/chat/completions': { post: {} } } } }));
  assert.deepEqual(kinds(third.found), ['openai', 'openapi']);
  const fourth = await asked(t, ({ url }, response, body) => {
    if (url === '/mcp') return response.writeHead(307, { location: 'http://evil.example/mcp/' }).end();
    if (url !== '/mcp/' || body === '') return refuse(response);
    const { id } = JSON.parse(body);
    const result = { protocolVersion: '2025-06-18', serverInfo: { name: 'slash' }, tools: [] };
    return json(response, { jsonrpc: '2.0', id, result });
  });
  assert.deepEqual(
    fourth.found?.protocols.map(({ kind, path }) => [kind, path]),
    [['mcp', '/mcp/']],
  );
});

test('an agent that answers all with the same page or the same JSON is nothing, and no session is begun with it', async (t) => {
  const page = await asked(t, (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>{"status":"Healthy"}</h1>'),
  );
  assert.deepEqual(page.found?.protocols, []);
  const same = await asked(t, (_, response) => json(response, { ok: true, status: 'ok', data: [], name: 'x' }));
  assert.deepEqual(same.found?.protocols, []);
  assert.ok([...page.lines, ...same.lines].every((line) => line.startsWith('GET ')));
  const named = await asked(
    t,
    (request, ...more) => (request.method === 'GET' ? json(more[0], {}) : mcpServer([])(request, ...more)),
    'FastMCP',
  );
  assert.deepEqual(kinds(named.found), ['mcp']);
});

test('401 to everything is nothing; a server that refuses the address of visitors is told as such', async (t) => {
  assert.deepEqual((await asked(t, (_, response) => json(response, { status: 'Healthy' }, 401))).found, {
    protocols: [],
    refusesHost: undefined,
    host_header: null,
  });
  const seen: (string | undefined)[] = [];
  const hosts = await asked(t, ({ url, headers }, response) => {
    if (url !== '/mcp') return refuse(response);
    seen.push(headers.host);
    return response.writeHead(421).end('Invalid Host header');
  });
  assert.deepEqual(hosts.found, { protocols: [], refusesHost: 'mcp', host_header: null });
  assert.deepEqual(seen, ['spoken--12345678.localhost:4001', 'localhost:8000']);
  const django = await asked(t, (_, response) => response.writeHead(400).end('<h1>Bad Request (400)</h1>'), 'Django');
  assert.deepEqual(django.found, { protocols: [], refusesHost: 'all', host_header: null });
});

test('an agent that takes requests for localhost alone is asked, and recognised, under that host', async (t) => {
  for (const status of [400, 403, 421]) {
    const { found } = await asked(t, ({ url, headers }, response) => {
      if (headers.host !== 'localhost:8000') return response.writeHead(status).end('Invalid host');
      return url === '/ping' ? json(response, { status: 'Healthy' }) : refuse(response);
    });
    assert.deepEqual([kinds(found), found?.refusesHost, found?.host_header], [['agentcore'], 'all', 'localhost:8000']);
  }
  const server = mcpServer([]);
  for (const status of [403, 421]) {
    const { found } = await asked(t, (request, response, body) => {
      if (request.url !== '/mcp') return refuse(response);
      return request.headers.host === 'localhost:8000' ? server(request, response, body) : response.writeHead(status).end();
    });
    assert.deepEqual([kinds(found), found?.refusesHost, found?.host_header], [['mcp'], 'mcp', 'localhost:8000']);
  }
});

test('a card of 50 MB and one that never ends are let go, and the rest is recognised all the same', async (t) => {
  let written = 0;
  const { found } = await asked(t, ({ url }, response) => {
    if (url === '/ping') return json(response, { status: 'Healthy' });
    if (url !== '/.well-known/agent-card.json') return refuse(response);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"name":"');
    const piece = 'x'.repeat(64 * 1024);
    const flood = () => {
      while (written < 50 * 1024 ** 2 && !response.destroyed) {
        written += piece.length;
        if (!response.write(piece)) return void response.once('drain', flood);
      }
    };
    return flood();
  });
  assert.deepEqual(kinds(found), ['agentcore']);
  assert.ok(written < 20 * 1024 ** 2, `${written} bytes were taken`);
});

test('an agent that is silent is left alone after two questions, and nothing is known of it', async (t) => {
  const { found, lines } = await asked(t, () => undefined);
  assert.equal(found, undefined);
  assert.equal(lines.length, 2);
});

test('hostile texts, names and schemas are shown harmlessly or not at all', async (t) => {
  const evil = '\u202e<script>alert(1)</script>\u0000\ud800\u001b[31m\nnext';
  const deep = (depth: number): unknown => (depth === 0 ? { type: 'string' } : { type: 'object', properties: { a: deep(depth - 1) } });
  const loop = { $ref: '#/$defs/A', $defs: { A: { type: 'object', properties: { again: { $ref: '#/$defs/A' } } } } };
  const proto = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}');
  const wide = {
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`p${n}`, { type: 'array', items: loop }])),
  };
  const tools = [
    { name: 'deep', inputSchema: deep(400) },
    { name: 'loop', inputSchema: loop },
    { name: 'proto', inputSchema: proto },
    { name: 'wide', inputSchema: wide },
    { name: 'nested', inputSchema: { type: 'object', properties: { at: { type: 'object', properties: { x: { type: 'number' } } } } } },
    { name: `a${evil}`, inputSchema: {} },
    { name: 'odd', description: evil, inputSchema: { type: 'object', properties: { [evil]: { type: 'string' } } } },
    ...Array.from({ length: 500 }, (_, n) => ({ name: `many${n}`, description: 'y'.repeat(300) })),
  ];
  const { found } = await asked(t, mcpServer(tools));
  const [mcp] = found!.protocols;
  assert.ok(JSON.stringify(found).length < 70_000);
  assert.equal(mcp!.items.length + mcp!.more, tools.length - 1);
  const texts = mcp!.items.map(({ name, description }) => JSON.stringify([name, description])).join('');
  assert.doesNotMatch(texts, /\\u0000|\\ud800|\u202e|\\u001b|\\n/);
  assert.ok(!JSON.stringify(mcp).includes('\u202e'));
  const of = (name: string) => mcp!.items.find((item) => item.name === name)!;
  assert.equal(of('deep').fields, null);
  assert.deepEqual(
    of('proto').fields?.map(({ name }) => name),
    ['__proto__', 'constructor'],
  );
  assert.deepEqual([of('nested').fields, JSON.parse(of('nested').example)], [null, { at: { x: 0 } }]);
  assert.deepEqual([of('odd').fields, of('odd').description], [null, '<script>alert(1)</script>\ufffd next']);
  const elsewhere = ['javascript:alert(1)', 'http://evil.example/a b', '//evil.example/x', 'x'.repeat(5000)];
  for (const url of elsewhere) {
    const card = (await asked(t, answering({ '/.well-known/agent-card.json': { name: evil, url, skills: [] } }))).found!.protocols[0]!;
    assert.match(card.path, /^(?:\/[!-~]*)?$/);
    assert.doesNotMatch(JSON.stringify(card), /evil\.example|\u202e|\\u0000/);
  }
});
