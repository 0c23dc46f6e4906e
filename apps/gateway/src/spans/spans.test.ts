import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import { type Agent, type Fixture, startAgent, startFixture, startRawAgent, until } from '../../test/fixture.ts';

const limits = { trafficFlushMs: 50, spansFlushMs: 50, routesPollMs: 200, upstreamRetryMs: 10 };
const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const visitorsSpan = '00f067aa0ba902b7';

let fixture: Fixture;
let agent: Agent;
/** The traceparent of each request, in order. */
let seen: (string | undefined)[] = [];
before(async () => {
  fixture = await startFixture({ limits });
  agent = await startAgent((req, res) => {
    seen.push(req.headers.traceparent as string);
    if (req.url === '/cut') {
      res.writeHead(200, { 'content-length': '10' }).write('part');
      setImmediate(() => req.socket.destroy());
      return;
    }
    res.statusCode = Number(req.url!.slice(1, 4)) || 200;
    req.resume().on('end', () => res.end('0123456789'));
  });
});
after(async () => {
  await fixture.close();
  await agent.close();
});

const spansOf = (deployment: string) => fixture.database.sql`select * from spans where deployment_id = ${deployment}`;

async function spanOf(deployment: string) {
  await until(async () => (await spansOf(deployment)).length > 0, 'the span is stored');
  const spans = await spansOf(deployment);
  assert.equal(spans.length, 1);
  return spans[0]!;
}

test('personal data in a path is not in its span', async () => {
  await fixture.route('paths', agent, 'dep_paths');
  await fixture.fetch('paths', '/200/users/ada.lovelace%40example.com/orders?key=1');
  const { name, attributes } = (await spanOf('dep_paths')) as unknown as { name: string; attributes: Record<string, unknown> };
  assert.equal(name, 'GET /200/users/[EMAIL]/orders');
  assert.equal(attributes['url.path'], '/200/users/[EMAIL]/orders');
});

test('a request has a span that tells what was asked and what became of it, and nothing that may be secret', async () => {
  await fixture.route('told', agent, 'dep_told');
  seen = [];
  const began = Date.now();
  const asked = {
    method: 'POST',
    body: 'four',
    headers: { traceparent: `00-${trace}-${visitorsSpan}-00`, authorization: 'Bearer secret' },
  };
  const answer = await fixture.fetch('told', '/200/hidden?key=secret', asked);
  const span = await spanOf('dep_told');
  const { started_at, duration_us, first_chunk_us, bytes, ...rest } = span;
  assert.deepEqual(rest, {
    deployment_id: 'dep_told',
    trace_id: trace,
    origin: 'gateway',
    span_id: seen[0]!.slice(36, 52),
    parent_span_id: visitorsSpan,
    name: 'POST /200/hidden',
    kind: 'server',
    type: 'request',
    status: 'unset',
    status_message: null,
    provider: null,
    model: null,
    input_tokens: null,
    cached_tokens: null,
    cache_write_tokens: null,
    output_tokens: null,
    reasoning_tokens: null,
    is_counted: true,
    attributes: {
      'http.request.method': 'POST',
      'url.path': '/200/hidden',
      'http.response.status_code': 200,
      'server.address': 'told.localhost',
      'http.request.body.size': 4,
      'http.response.body.size': 10,
      'paddock.request_id': answer.headers['x-request-id'],
    },
    events: [],
    dropped: 0,
    content_dropped: 0,
  });
  assert.ok(started_at.getTime() >= began && started_at.getTime() + Number(duration_us) / 1_000 <= Date.now() + 1);
  assert.ok(0 < Number(first_chunk_us) && Number(first_chunk_us) <= Number(duration_us));
  assert.ok(bytes > 300 && bytes < 1_000, `${bytes} bytes`);
  assert.doesNotMatch(JSON.stringify(span), /secret|127\.0\.0\.1/);
  const [sum] = await fixture.database.sql`select name, span_count, errors from traces where deployment_id = 'dep_told'`;
  assert.deepEqual({ ...sum }, { name: 'POST /200/hidden', span_count: 1, errors: 0 });
});

test('a span without a parent begins a trace that the answer names', async () => {
  await fixture.route('begun', agent, 'dep_begun');
  const answer = await fixture.fetch('begun');
  const { trace_id, parent_span_id } = await spanOf('dep_begun');
  assert.equal(trace_id, answer.headers['x-trace-id']);
  assert.equal(parent_span_id, null);
});

test('what a stranger writes into an address is stored in bounds', async () => {
  await fixture.route('odd', agent, 'dep_odd');
  await fixture.fetch('odd', `/%00%ud800${'a'.repeat(8_000)}?${'b'.repeat(100)}`);
  const { name, attributes, bytes } = await spanOf('dep_odd');
  assert.equal(name, `GET /%00%ud800${'a'.repeat(186)}`);
  assert.equal(attributes['url.path'].length, 1_024);
  assert.ok(bytes < 2_500);
});

const endings: [string, string, object][] = [
  ['no such page is no error of the agent', '/404', { status: 'unset', code: 404, type: undefined }],
  ['a failing agent', '/500', { status: 'error', code: 500, type: '500' }],
  ['an answer that breaks off', '/cut', { status: 'error', code: 200, type: 'answer_cut_off' }],
];
for (const [n, [name, path, expected]] of endings.entries()) {
  test(`the status of a span: ${name}`, async () => {
    await fixture.route(`ending${n}`, agent, `dep_ending${n}`);
    await fixture.fetch(`ending${n}`, path).catch(() => undefined);
    const { status, attributes, first_chunk_us } = await spanOf(`dep_ending${n}`);
    assert.deepEqual({ status, code: attributes['http.response.status_code'], type: attributes['error.type'] }, expected);
    assert.ok(first_chunk_us !== null);
  });
}

test('the span of a request that no agent answered tells which page the visitor got in its place', async () => {
  const deaf = await startRawAgent((socket) => socket.destroy());
  await fixture.route('deaf', deaf, 'dep_deaf');
  assert.equal((await fixture.fetch('deaf')).status, 502);
  const { status, attributes, first_chunk_us } = await spanOf('dep_deaf');
  assert.deepEqual([status, attributes['http.response.status_code'], attributes['error.type']], ['error', 502, 'agent_answer_broken']);
  assert.equal(first_chunk_us, null);
  await deaf.close();
});

test('a visitor who leaves before the answer is no error', async () => {
  let asked = () => {};
  const isAsked = new Promise<void>((resolve) => (asked = resolve));
  const slow = await startRawAgent((socket) => socket.once('data', () => asked()));
  await fixture.route('left', slow, 'dep_left');
  const socket = connect(fixture.gateway.port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: left.localhost\r\n\r\n'));
  await isAsked;
  // A visitor who merely half-closes would still be answered for a while.
  socket.resetAndDestroy();
  const { status, attributes, first_chunk_us } = await spanOf('dep_left');
  assert.deepEqual([status, attributes['http.response.status_code'], first_chunk_us], ['unset', 499, null]);
  await slow.close();
});

test('every answer to a request for a deployment names its trace, also the gateway’s own pages', async () => {
  const deaf = await startRawAgent((socket) => socket.destroy());
  await fixture.route('named', agent, 'dep_named');
  await fixture.route('unreachable', deaf);
  for (const state of ['stopped', 'crashed', 'starting'] as const) await fixture.route(state, state);
  const traceparent = `00-${trace}-${visitorsSpan}-01`;
  const cases: [string, string, object, number][] = [
    ['named', '/', {}, 200],
    ['named', '/', { method: 'HEAD' }, 200],
    ['named', '/500', {}, 500],
    ['unreachable', '/', {}, 502],
    ['unreachable', '/', { headers: { accept: 'text/html' } }, 502],
    ['stopped', '/', {}, 503],
    ['crashed', '/', {}, 502],
    ['starting', '/', {}, 503],
  ];
  for (const [label, path, asking, status] of cases) {
    const fresh = await fixture.fetch(label, path, asking);
    assert.equal(fresh.status, status, label);
    assert.match(String(fresh.headers['x-trace-id']), /^[0-9a-f]{32}$/, label);
    const taken = await fixture.fetch(label, path, { ...asking, headers: { ...('headers' in asking && asking.headers!), traceparent } });
    assert.equal(taken.headers['x-trace-id'], trace, label);
  }
  assert.equal((await fixture.fetch('nobody')).headers['x-trace-id'], undefined);
  await deaf.close();
});

test('a stream’s span lasts to its end, and tells when it began to answer', async () => {
  let finish = () => {};
  const streaming = await startAgent((_req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.write('data: 1\n\n');
    finish = () => res.end('data: 2\n\n');
  });
  await fixture.route('stream', streaming, 'dep_stream');
  const socket = connect(fixture.gateway.port, '127.0.0.1', () =>
    socket.write('GET /events HTTP/1.1\r\nHost: stream.localhost\r\nConnection: close\r\n\r\n'),
  );
  await once(socket, 'data');
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.equal((await spansOf('dep_stream')).length, 0);
  finish();
  const { first_chunk_us, duration_us, attributes } = await spanOf('dep_stream');
  assert.ok(Number(duration_us) - Number(first_chunk_us) > 55_000, `${first_chunk_us} of ${duration_us}`);
  assert.equal(attributes['http.response.body.size'], 'data: 1\n\ndata: 2\n\n'.length);
  socket.destroy();
  await streaming.close();
});

test('a WebSocket is one span, from its handshake to its end', async () => {
  const web = await startAgent((_req, res) => res.end());
  const told: (string | undefined)[] = [];
  const server = new WebSocketServer({ server: web.server });
  server.on('connection', (socket, req) => {
    told.push(req.headers.traceparent as string);
    socket.on('message', (message) => socket.send(String(message)));
  });
  await fixture.route('ws', web, 'dep_ws');
  const socket = new WebSocket(`ws://127.0.0.1:${fixture.gateway.port}/live?x=1`, { headers: { host: 'ws.localhost' } });
  let traceId: string | undefined;
  socket.on('upgrade', ({ headers }) => (traceId = headers['x-trace-id'] as string));
  await once(socket, 'open');
  socket.send('hello');
  await once(socket, 'message');
  socket.close();
  const { trace_id, span_id, name, status, attributes, first_chunk_us, duration_us } = await spanOf('dep_ws');
  assert.deepEqual([trace_id, trace_id, span_id], [traceId, told[0]!.slice(3, 35), told[0]!.slice(36, 52)]);
  assert.deepEqual([name, status, attributes['paddock.websocket']], ['GET /live', 'unset', true]);
  assert.equal(attributes['http.response.status_code'], 101);
  assert.ok(attributes['http.request.body.size'] > 5 && Number(first_chunk_us) < Number(duration_us));
  server.close();
  await web.close();
});
