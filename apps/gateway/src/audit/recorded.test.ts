import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { AuditEvent, RequestData } from '@paddock/audit';
import { WebSocket } from 'ws';
import { eventsIn, recordsOf } from '../../test/audit.ts';
import { type Agent, echo, type Fixture, startAgent, startFixture, until } from '../../test/fixture.ts';

let fixture: Fixture;
let agent: Agent;
before(async () => {
  fixture = await startFixture();
  agent = await startAgent(echo());
  await fixture.route('seen', agent);
});
beforeEach(() => fixture.database.sql`delete from audit_intake`);
after(async () => {
  await fixture.close();
  await agent.close();
});

const fields = Object.keys({
  team_id: true,
  id: true,
  timestamp: true,
  agent_id: true,
  agent_name: true,
  action_type: true,
  action: true,
  status: true,
  actor: true,
  user_id: true,
  targets: true,
  duration_ms: true,
  trace_id: true,
  input_data: true,
  output_data: true,
  metadata: true,
  pii: true,
} satisfies Record<keyof AuditEvent, true>).sort();

/** Waits until the database has `count` records. */
async function records(count: number) {
  await until(async () => (await eventsIn(fixture.database)).length >= count, `${count} records have come`);
  return eventsIn(fixture.database);
}

test('a request and its answer are two records, with what the visitor was told of them', async () => {
  const body = JSON.stringify({ question: 'How are you?', n: 1 });
  const headers = { 'content-type': 'application/json', 'user-agent': 'probe/1' };
  const asked = await fixture.fetch('seen', '/ask?mode=short', { method: 'POST', body, headers });
  const { request, answer } = recordsOf(await records(2), asked.headers['x-request-id']);
  for (const record of [request, answer]) assert.deepEqual(Object.keys(record).sort(), fields);
  assert.match(request.id, /^aud_[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  assert.deepEqual(
    [request.team_id, request.agent_id, request.agent_name, request.action, request.status, request.user_id],
    ['team_1', 'prj_1', 'project', 'POST /ask', 'success', null],
  );
  assert.deepEqual(request.actor, { type: 'visitor', id: null, name: null });
  assert.deepEqual(request.targets, [{ type: 'deployment', id: 'dep_seen', name: null }]);
  assert.deepEqual(request.metadata, { ip_address: '127.0.0.1', user_agent: 'probe/1', request_id: asked.headers['x-request-id'] });
  assert.equal(request.trace_id, asked.headers['x-trace-id']);
  const { scanned_at, forwarded_at, ...input } = request.input_data as RequestData;
  assert.ok(scanned_at !== null && forwarded_at !== null);
  assert.deepEqual(input, {
    method: 'POST',
    path: '/ask',
    query: 'mode=short',
    host: `seen.localhost:${fixture.gateway.port}`,
    deployment_id: 'dep_seen',
    size_bytes: body.length,
    content_type: 'application/json',
    body: { question: 'How are you?', n: 1 },
    left_out: null,
    is_cut: false,
    was_changed: false,
  });
  assert.deepEqual(request.pii, { scans: 1, detected: 0, redacted: 0, types: {} });
  assert.equal(answer.status, 'success');
  assert.ok(answer.duration_ms! > 0 && answer.output_data.first_byte_at !== null);
  assert.deepEqual([answer.output_data.status, answer.output_data.failure, answer.output_data.size_bytes], [200, null, asked.body.length]);
  assert.equal((answer.output_data.body as { url: string }).url, '/ask?mode=short');
});

test('personal data stands in no record, neither in bodies nor in an address nor in the name of a program', async () => {
  const planted = { email: 'ada.lovelace@example.com', ssn: '536-90-4399', card: '4111 1111 1111 1111' };
  const path = `/users/${encodeURIComponent(planted.email)}?ssn=536-90-4399&plain=yes`;
  const asked = await fixture.fetch('seen', path, {
    method: 'POST',
    body: JSON.stringify(planted),
    headers: { 'content-type': 'application/json', 'user-agent': 'probe (ada.lovelace@example.com)' },
  });
  const events = await records(2);
  const { request, answer } = recordsOf(events, asked.headers['x-request-id']);
  const stored = JSON.stringify(events);
  for (const value of [...Object.values(planted), encodeURIComponent(planted.email), '4111'])
    assert.ok(!stored.includes(value), `${value} in ${stored}`);
  assert.equal(request.action, 'POST /users/[EMAIL]');
  assert.equal(request.input_data.query, 'ssn=[SSN]&plain=yes');
  assert.deepEqual(request.input_data.body, { email: '[EMAIL]', ssn: '[SSN]', card: '[CREDIT_CARD]' });
  assert.deepEqual(request.pii!.types, { Email: 1, SSN: 1, 'Credit Card': 1 });
  assert.equal(request.pii!.redacted, 3);
  assert.ok(answer.pii!.detected >= 3);
});

test('of a long body the first and the last part are kept, and a value at a cut stands in neither', async () => {
  const long = await startAgent((_req, res) => {
    res.setHeader('content-type', 'text/plain');
    // The values lie across the ends of the recorded parts.
    res.end(`begins${' x'.repeat(2_040)} ada.lovelace@example.com ${'y '.repeat(5_000)} 4111 1111 1111 1111 ${'z '.repeat(502)}ends`);
  });
  await fixture.route('long', long);
  const asked = await fixture.fetch('long');
  const { answer } = recordsOf(await records(2), asked.headers['x-request-id']);
  const { body, is_cut, size_bytes } = answer.output_data;
  assert.deepEqual([is_cut, size_bytes], [true, asked.body.length]);
  assert.match(body as string, /^begins x.*\n…\n.*z ends$/s);
  assert.ok((body as string).length < 5_400);
  assert.ok(!/ada|lovelace|example|1111/.test(body as string), body as string);
  await long.close();
});

test('what is no text is not kept, and the record says why', async () => {
  const cases: [Buffer, Record<string, string>, string, string | null][] = [
    [Buffer.from([0, 1, 2, 255]), {}, 'null', 'binary'],
    [Buffer.from('plain'), { 'content-type': 'image/png' }, 'null', 'binary'],
    [Buffer.from([0xff, 0xfe, 0x41]), { 'content-type': 'text/plain' }, 'null', 'binary'],
    [Buffer.from('x'), { 'content-type': 'text/plain; charset=koi8-r' }, 'null', 'encoding'],
    [Buffer.from('x'), { 'content-encoding': 'zstd' }, 'null', 'encoding'],
    [gzipSync('a'.repeat(1_000_000)), { 'content-encoding': 'gzip' }, 'null', 'encoding'],
    [gzipSync('{"email":"ada@example.com"}'), { 'content-encoding': 'gzip' }, '{"email":"[EMAIL]"}', null],
    [Buffer.from('gr\u00fc\u00df dich', 'latin1'), { 'content-type': 'text/plain; charset=iso-8859-1' }, '"gr\u00fc\u00df dich"', null],
    [Buffer.from('gr\u00fc\u00df dich'), {}, '"gr\u00fc\u00df dich"', null],
    [Buffer.from('{"broken": '), { 'content-type': 'application/json' }, '"{\\"broken\\": "', null],
    [Buffer.from('['.repeat(2_000)), { 'content-type': 'application/json' }, JSON.stringify('['.repeat(2_000)), null],
    [Buffer.from('email=ada%40example.com&a=b'), { 'content-type': 'application/x-www-form-urlencoded' }, '"email=[EMAIL]&a=b"', null],
  ];
  const ids: unknown[] = [];
  for (const [body, headers] of cases)
    ids.push((await fixture.fetch('seen', '/', { method: 'POST', body, headers })).headers['x-request-id']);
  const events = await records(2 * cases.length);
  for (const [n, [, headers, body, why]] of cases.entries()) {
    const { input_data } = recordsOf(events, ids[n]).request;
    assert.deepEqual([JSON.stringify(input_data.body), input_data.left_out], [body, why], JSON.stringify(headers));
  }
});

test('a refusal of the gateway, a broken agent and a visitor who leaves are recorded as what they are', async () => {
  const silent = await startAgent((req, res) => {
    if (req.url === '/gone') return;
    if (req.url === '/missing') res.writeHead(404).end();
    else if (req.url === '/broken') res.writeHead(200, { 'content-length': '100' }).write('part', () => res.destroy());
    else res.writeHead(503).end('no');
  });
  await fixture.route('odd', silent);
  const missing = await fixture.fetch('odd', '/missing');
  const busy = await fixture.fetch('odd', '/busy');
  await fixture.fetch('odd', '/broken').catch(() => undefined);
  const socket = connect(fixture.gateway.port, '127.0.0.1', () => socket.write('GET /gone HTTP/1.1\r\nHost: odd.localhost\r\n\r\n'));
  await until(
    async () => (await eventsIn(fixture.database)).some(({ action }) => action === 'GET /gone'),
    'the request is recorded before its answer',
  );
  socket.resetAndDestroy();
  await records(8);
  await silent.close();
  const away = await fixture.fetch('odd', '/away');
  const events = await records(10);
  const told = (id: unknown) => {
    const { answer } = recordsOf(events, id);
    return [answer.status, answer.output_data.status, answer.output_data.failure];
  };
  assert.deepEqual(told(missing.headers['x-request-id']), ['warning', 404, null]);
  assert.deepEqual(told(busy.headers['x-request-id']), ['error', 503, null]);
  assert.deepEqual(told(away.headers['x-request-id']), ['error', 502, 'agent_unreachable']);
  const [broken, gone] = ['GET /broken', 'GET /gone'].map(
    (action) => events.find((one) => one.action === action && one.action_type === 'response')!,
  );
  assert.deepEqual(told(broken!.metadata.request_id), ['error', 200, null]);
  assert.deepEqual(told(gone!.metadata.request_id), ['error', 0, null]);
  assert.equal(recordsOf(events, away.headers['x-request-id']).request.input_data.forwarded_at, null);
});

test('a WebSocket is recorded when it opens and when it closes, without what was said', async () => {
  const { WebSocketServer } = await import('ws');
  const server = new WebSocketServer({ port: 0 });
  server.on('connection', (ws) => ws.on('message', (said) => ws.send(said)));
  await fixture.route('talk', { port: (server.address() as { port: number }).port });
  const ws = new WebSocket(`ws://127.0.0.1:${fixture.gateway.port}/talk`, { headers: { host: 'talk.localhost' } });
  await new Promise((resolve) => ws.once('open', resolve));
  const [opened] = await records(1);
  assert.deepEqual([opened!.action_type, opened!.action], ['request', 'GET /talk']);
  ws.send('secret ada@example.com');
  await new Promise((resolve) => ws.once('message', resolve));
  ws.close();
  const events = await records(2);
  const { answer } = recordsOf(events, opened!.metadata.request_id);
  assert.deepEqual([answer.output_data.status, answer.status, answer.output_data.body], [101, 'success', null]);
  assert.ok(!JSON.stringify(events).includes('ada@'));
  server.close();
});
