import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { TryEnd, TryEvent, TryHead } from '@paddock/contract';
import { tryLimits } from '@paddock/contract/limits';
import { zip } from '../../../../test/archives.ts';
import { type Api, startApi } from '../../../../test/server.ts';

/** A server with an active agent; `answer` takes the gateway's place. */
async function world(t: TestContext, answer: (request: IncomingMessage, response: ServerResponse) => unknown) {
  const gateway = createServer((request, response) => void answer(request, response));
  gateway.listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  t.after(() => gateway.closeAllConnections());
  t.after(() => void gateway.close());
  return { gateway, ...(await withAgent(t, (gateway.address() as { port: number }).port)) };
}

async function withAgent(t: TestContext, gatewayPort: number) {
  const { origin, sql, app, person } = await startApi(t, { gatewayPort });
  const { api, token } = await person();
  const { id: project_id } = await api.projects.create({ name: 'tried' });
  const { id } = await api.deployments.create({ project_id, file: zip({ 'server.js': '1' }), file_name: 'a.zip' });
  const become = (values: Record<string, unknown>) => sql`update deployments set ${sql(values)} where id = ${id}`;
  await become({ status: 'active', is_current: true, agent_type: 'web' });
  return { origin, app, api, token, id, become, person };
}

async function read(events: AsyncIterable<TryEvent>) {
  let head: TryHead | undefined;
  let end: TryEnd | undefined;
  const chunks: Buffer[] = [];
  for await (const event of events) {
    head ??= event.head;
    end ??= event.end;
    if (event.chunk !== undefined) chunks.push(Buffer.from(event.chunk, 'base64'));
  }
  return { head, end, body: Buffer.concat(chunks) };
}
const ask = async (api: Api, wish: Parameters<Api['deployments']['try']>[0]) => read(await api.deployments.try(wish));
const bodyOf = async (request: IncomingMessage) => Buffer.concat(await request.toArray()).toString();

test('a person asks an agent and gets its answer, byte by byte, with its status, its headers and the times', async (t) => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  const asked: { line: string; host: string | undefined; type: string | undefined; body: string }[] = [];
  const { api, id } = await world(t, async (request, response) => {
    const { method, url, headers } = request;
    asked.push({ line: `${method} ${url}`, host: headers.host, type: headers['content-type'], body: await bodyOf(request) });
    response.writeHead(418, { 'x-agent': ['one', 'two'], 'content-type': 'application/json' });
    response.end(bytes);
  });
  const { head, end, body } = await ask(api, {
    ...{ id, method: 'POST', path: '/chat?a=b%20c', body: '{"message":"grüß dich"}' },
    headers: [{ name: 'Content-Type', value: 'application/json' }],
  });
  const [{ deployment_url }] = [await api.deployments.get({ id })];
  const { host } = new URL(deployment_url!);
  assert.deepEqual(asked, [{ line: 'POST /chat?a=b%20c', host, type: 'application/json', body: '{"message":"grüß dich"}' }]);
  assert.equal(head?.status, 418);
  assert.deepEqual(
    head.headers.filter(({ name }) => name === 'x-agent').map(({ value }) => value),
    ['one', 'two'],
  );
  assert.deepEqual(body, bytes);
  assert.deepEqual([end?.outcome, end?.bytes, end?.detail], ['complete', 256, '']);
  assert.ok(head.first_byte_ms <= end!.total_ms);
});

test('an answer is shown piece by piece while the agent is still at it', async (t) => {
  const answering = Promise.withResolvers<ServerResponse>();
  const { api, id } = await world(t, (_, response) => answering.resolve(response));
  const waiting = api.deployments.try({ id });
  const response = await answering.promise;
  const pieces: string[] = [];
  response.write('data: one\n\n');
  for await (const { chunk, end } of await waiting) {
    if (chunk === undefined) continue;
    assert.equal(end, undefined);
    pieces.push(Buffer.from(chunk, 'base64').toString());
    if (pieces.length === 1) response.write('data: two\n\n');
    else response.end();
  }
  assert.deepEqual(pieces, ['data: one\n\n', 'data: two\n\n']);
});

test('nothing that an agent answers acts on the console: its headers and its type are data, never those of the answer', async (t) => {
  const { origin, token, id } = await world(t, (_, response) =>
    response
      .writeHead(302, {
        ...{ 'set-cookie': 'planted=1; Path=/', 'content-type': 'text/html', location: 'https://evil.example/', refresh: '0' },
        ...{ 'content-security-policy': "script-src 'unsafe-inline'", 'access-control-allow-origin': '*', 'clear-site-data': '"*"' },
      })
      .end('<script>alert(1)</script>'),
  );
  const answer = await fetch(`${origin}/api/v1/deployments/${id}/try`, {
    method: 'POST',
    redirect: 'manual',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  const text = await answer.text();
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'application/x-ndjson; charset=utf-8');
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  assert.match(answer.headers.get('content-security-policy') ?? '', /script-src 'self'/);
  for (const name of ['set-cookie', 'location', 'refresh', 'access-control-allow-origin', 'clear-site-data'])
    assert.equal(answer.headers.get(name), null, name);
  assert.doesNotMatch(text, /<script/);
  assert.match(text, /"set-cookie","value":"planted=1; Path=\/"/);
});

test('an agent gets nothing of the call itself: no token, no cookie, no header of the browser', async (t) => {
  const seen: string[] = [];
  const { origin, token, id } = await world(t, async (request, response) => {
    seen.push(request.rawHeaders.join('\n'), request.url ?? '', await bodyOf(request));
    response.end();
  });
  const answer = await fetch(`${origin}/api/v1/deployments/${id}/try`, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json', cookie: 'paddock_device=CANARY' },
      ...{ origin: 'http://canary.example', referer: 'http://canary.example/', 'x-canary': 'CANARY' },
    },
    body: JSON.stringify({ headers: [{ name: 'authorization', value: 'Bearer of the agent' }] }),
  });
  await answer.text();
  assert.doesNotMatch(seen.join('\n'), /canary|pds_|paddock_device/i);
  assert.match(seen[0]!, /Bearer of the agent/);
});

test("headers of framing and forwarding, and Paddock's own credentials, are refused before anything is sent", async (t) => {
  let asked = 0;
  const { api, token, id } = await world(t, (_, response) => {
    asked += 1;
    response.end();
  });
  const { api_key } = await api.apiKeys.create({ name: 'hers', scopes: ['agents:read'] });
  const names = ['Host', 'Connection', 'transfer-encoding', 'Content-Length', 'upgrade', 'TE', 'Expect', 'X-Forwarded-For', 'x_real_ip'];
  for (const name of names)
    await assert.rejects(ask(api, { id, headers: [{ name, value: 'x' }] }), { code: 'input_invalid', message: new RegExp(name) });
  for (const value of [`Bearer ${token}`, api_key, 'a=b; paddock_device=x'])
    await assert.rejects(ask(api, { id, headers: [{ name: 'x', value }] }), { code: 'input_invalid', message: /credential of Paddock/ });
  await assert.rejects(ask(api, { id, path: `/?key=${api_key}` }), { code: 'input_invalid' });
  const wrong = [
    { name: 'a b', value: 'x' },
    { name: 'x', value: 'a\r\nHost: b' },
    { name: 'x', value: 'a'.repeat(4097) },
  ];
  for (const header of wrong) await assert.rejects(ask(api, { id, headers: [header] }), { code: 'input_invalid' });
  for (const path of ['chat', 'http://elsewhere/', '/a b', '/a\r\n', '/#', ''])
    await assert.rejects(ask(api, { id, path }), { code: 'input_invalid' }, path);
  const many = Array.from({ length: 33 }, () => ({ name: 'x', value: 'y' }));
  await assert.rejects(ask(api, { id, headers: many }), { code: 'input_invalid' });
  assert.equal(asked, 0);
});

test('a body of 1 MiB goes to the agent whole, a larger one is refused', async (t) => {
  const { api, id } = await world(t, async (request, response) => response.end(String((await bodyOf(request)).length)));
  const body = '"'.repeat(tryLimits.bodyBytes); // as JSON it is twice as long
  assert.equal((await ask(api, { id, method: 'POST', body })).body.toString(), String(tryLimits.bodyBytes));
  await assert.rejects(ask(api, { id, method: 'POST', body: `${body}x` }), { code: 'body_too_large', message: /1 MiB/ });
});

test('what cannot be asked says why and what to do, and another team hears that there is nothing', async (t) => {
  const { api, id, become, person } = await world(t, (_, response) => response.end());
  const cases: [Record<string, unknown>, RegExp][] = [
    [{ status: 'active', agent_type: 'worker' }, /worker.*log/],
    [{ status: 'building', agent_type: null }, /still being made/],
    [{ status: 'failed' }, /failed.*deploy again/],
    [{ status: 'completed', agent_type: 'job' }, /job.*redeploy/],
    [{ status: 'stopped', is_current: false, agent_type: 'web' }, /stopped.*Redeploy/],
  ];
  for (const [values, message] of cases) {
    await become({ is_current: true, ...values });
    await assert.rejects(ask(api, { id }), { code: 'deployment_cannot_answer', message });
  }
  await become({ status: 'active', agent_type: 'web' });
  const { api: eve } = await person();
  await assert.rejects(ask(eve, { id }), { code: 'deployment_not_found' });
});

test('an answer longer than 10 MiB is cut there, and the agent is no longer read', async (t) => {
  const gone = Promise.withResolvers<void>();
  const { api, id } = await world(t, (_, response) => {
    response.once('close', () => gone.resolve());
    const flood = () => {
      while (response.write(Buffer.alloc(64 * 1024)));
    };
    response.on('drain', flood);
    flood();
  });
  const { end, body } = await ask(api, { id });
  assert.equal(body.length, tryLimits.answerBytes);
  assert.deepEqual([end?.outcome, end?.bytes], ['too_long', tryLimits.answerBytes]);
  assert.match(end!.detail, /10 MiB/);
  await gone.promise;
});

test('when the person goes, the request to the agent ends at once: the gateway sees that nobody waits any more', async (t) => {
  const began = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<string | undefined>();
  const server = createTcpServer((socket) => {
    socket.on('error', ({ code }: NodeJS.ErrnoException) => gone.resolve(code));
    socket.on('end', () => gone.resolve('closed, but somebody may wait'));
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\na first piece', () => began.resolve()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => void server.close());
  const agent = await withAgent(t, (server.address() as { port: number }).port);
  const socket = await rawTry(t, agent);
  await began.promise;
  await once(socket, 'data');
  socket.destroy();
  assert.equal(await gone.promise, 'ECONNRESET');
});

test('an answer that is cut midway, and an agent that never answers before the line is cut, are told as broken', async (t) => {
  const { api, id } = await world(t, (request, response) => {
    if (request.url === '/never') return void request.socket.destroy();
    response.writeHead(200, { 'content-length': 100 });
    return void response.write('half', () => request.socket.destroy());
  });
  const half = await ask(api, { id });
  assert.deepEqual([half.head?.status, half.body.toString(), half.end?.outcome], [200, 'half', 'broken']);
  const never = await ask(api, { id, path: '/never' });
  assert.deepEqual([never.head, never.end?.outcome, never.end?.bytes], [undefined, 'broken', 0]);
});

test('heads beyond all measure and answers that are no HTTP end as broken and harm nobody', async (t) => {
  const answers = [
    `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(1024 ** 2)}\r\n\r\n`,
    'nonsense\r\n\r\n',
    'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
  ];
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(answers.shift() ?? ''));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => void server.close());
  const { api, id } = await withAgent(t, (server.address() as { port: number }).port);
  while (answers.length > 0) assert.equal((await ask(api, { id })).end?.outcome, 'broken');
});

test('a gateway that takes no connection is told as such', async (t) => {
  const { api, id, gateway } = await world(t, (_, response) => response.end());
  gateway.close();
  await assert.rejects(ask(api, { id }), { code: 'gateway_unreachable' });
});

test('four requests of a team are made at once, and another one when one of them is over', async (t) => {
  const waiting: ServerResponse[] = [];
  const full = Promise.withResolvers<void>();
  const { api, id, person } = await world(t, (_, response) => {
    waiting.push(response);
    if (waiting.length === tryLimits.perTeam) full.resolve();
    if (waiting.length > tryLimits.perTeam) response.end();
  });
  const first = Array.from({ length: tryLimits.perTeam }, () => ask(api, { id }));
  await full.promise;
  await assert.rejects(ask(api, { id }), { code: 'too_many_requests', message: /4 requests of your team.*cancel/ });
  const { api: eve } = await person();
  await assert.rejects(ask(eve, { id }), { code: 'deployment_not_found' });
  for (const response of waiting) response.end();
  await Promise.all(first);
  const again = async (): Promise<unknown> => ask(api, { id }).catch(again); // the server learns of the others' end in a moment
  await again();
});

test('a server that ends does not wait for an answer that goes on', async (t) => {
  const { api, app, id } = await world(t, (_, response) => void response.write('for ever'));
  const events = await api.deployments.try({ id });
  const reading = read(events);
  await app.close();
  assert.deepEqual((await reading).end?.outcome, 'broken');
});

/** A call over a raw socket. */
async function rawTry(t: TestContext, { origin, token, id }: { origin: string; token: string; id: string }): Promise<Socket> {
  const { connect } = await import('node:net');
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  t.after(() => socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const head = ['POST', `/api/v1/deployments/${id}/try`, 'HTTP/1.1'].join(' ');
  socket.write(`${head}\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}`);
  return socket;
}
