import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { networkList } from '@paddock/network';
import { type Agent, type Asking, echo, type Fixture, startAgent, startFixture, until } from '../../test/fixture.ts';

let fixture: Fixture;
let agent: Agent;
before(async () => {
  fixture = await startFixture();
  agent = await startAgent(echo());
  await fixture.route('echo', agent);
});
after(async () => {
  await fixture.close();
  await agent.close();
});

const received = async (headers: Record<string, string>, from = fixture) =>
  (await from.fetch('echo', '/', { headers })).json().headers as Record<string, string | undefined>;

test('forwarding headers tell what the gateway saw, whatever the visitor claims', async () => {
  const seen = await received({
    'X-Forwarded-For': '6.6.6.6',
    X_Forwarded_For: '6.6.6.6',
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-Host': 'evil.test',
    'X-Forwarded-Prefix': '/evil',
    Forwarded: 'for=6.6.6.6',
    'X-Real-IP': '6.6.6.6',
    'X-Request-Id': 'chosen-by-visitor',
    'X-Original-URL': '/admin',
    'X-Rewrite-URL': '/admin',
    'X-HTTP-Method-Override': 'DELETE',
    'Paddock-Team': 'team_x',
    'X-Paddock-Deployment': 'dep_x',
    'Proxy-Authorization': 'Basic x',
    Kept: 'yes',
  });
  const host = `echo.localhost:${fixture.gateway.port}`;
  assert.equal(seen['x-forwarded-for'], '127.0.0.1');
  assert.equal(seen['x-forwarded-proto'], 'http');
  assert.equal(seen['x-forwarded-host'], host);
  assert.equal(seen['x-real-ip'], '127.0.0.1');
  assert.equal(seen.forwarded, `for=127.0.0.1;host="${host}";proto=http`);
  assert.equal(seen.host, host);
  assert.match(seen['x-request-id']!, /^req_[0-9a-f]{24}$/);
  assert.equal(seen.kept, 'yes');
  const gone = [
    'x_forwarded_for',
    'x-forwarded-prefix',
    'x-original-url',
    'x-rewrite-url',
    'x-http-method-override',
    'paddock-team',
    'x-paddock-deployment',
    'proxy-authorization',
  ];
  for (const name of gone) assert.equal(seen[name], undefined, name);
});

test('an agent that takes one host alone is told that one, and in the forwarding headers what the visitor asked for', async () => {
  await fixture.route('shy', agent);
  await fixture.database.sql`update routes set host_header = 'localhost:8000' where label = 'shy'`;
  await until(() => fixture.gateway.findRoute('shy')?.host_header === 'localhost:8000', 'the gateway knows the host');
  const told = async (asking: Asking) => (await fixture.fetch('shy', '/', asking)).json().headers as Record<string, string>;
  const asked = `shy.localhost:${fixture.gateway.port}`;
  for (const asking of [{}, { method: 'POST', body: 'a body' }]) {
    const { host, forwarded, ...others } = await told(asking);
    assert.deepEqual([host, others['x-forwarded-host']], ['localhost:8000', asked]);
    assert.equal(forwarded, `for=127.0.0.1;host="${asked}";proto=http`);
  }
  // The connection that the response left open serves the visitors of another host with their own Host header.
  assert.equal((await received({})).host, `echo.localhost:${fixture.gateway.port}`);
});

test('hop-by-hop headers and those that Connection names stay here; ours cannot be stripped that way', async () => {
  const seen = await received({
    Connection: 'X-Secret, X-Forwarded-For, keep-alive, Authorization',
    'X-Secret': '1',
    Authorization: 'Bearer x',
    'Keep-Alive': 'timeout=1000',
    TE: 'trailers',
    Upgrade: 'h2c',
  });
  for (const name of ['x-secret', 'authorization', 'keep-alive', 'te', 'upgrade']) assert.equal(seen[name], undefined, name);
  assert.equal(seen['x-forwarded-for'], '127.0.0.1');
  assert.equal(seen.connection, 'keep-alive');
});

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const visitorsSpan = '00f067aa0ba902b7';

test('a valid trace of the visitor goes on, with the span of the gateway between visitor and agent', async () => {
  for (const traceparent of [`00-${trace}-${visitorsSpan}-01`, `00-${trace}-${visitorsSpan}-00`, `cc-${trace}-${visitorsSpan}-01-later`]) {
    const answer = await fixture.fetch('echo', '/', { headers: { traceparent, tracestate: 'a=b' } });
    const seen = answer.json().headers as Record<string, string>;
    assert.match(seen.traceparent!, new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`), traceparent);
    assert.notEqual(seen.traceparent!.slice(36, 52), visitorsSpan);
    assert.equal(seen.tracestate, 'a=b');
    assert.equal(answer.headers['x-trace-id'], trace);
  }
});

const invalidTraces: [string, string | string[]][] = [
  ['a trace of zeros', `00-${'0'.repeat(32)}-${visitorsSpan}-01`],
  ['a span of zeros', `00-${trace}-${'0'.repeat(16)}-01`],
  ['capitals', `00-${trace.toUpperCase()}-${visitorsSpan}-01`],
  ['the version that is none', `ff-${trace}-${visitorsSpan}-01`],
  ['more than its version says', `00-${trace}-${visitorsSpan}-01-more`],
  ['more flags', `00-${trace}-${visitorsSpan}-0100`],
  ['no flags', `00-${trace}-${visitorsSpan}`],
  ['two of them', [`00-${trace}-${visitorsSpan}-01`, `00-${trace}-${visitorsSpan}-01`]],
];
for (const [name, traceparent] of invalidTraces) {
  test(`a trace begins here where the visitor's is not valid: ${name}`, async () => {
    const answer = await fixture.fetch('echo', '/', { headers: { traceparent, tracestate: 'a=b' } });
    const seen = answer.json().headers as Record<string, string>;
    const [, id] = /^00-([0-9a-f]{32})-[0-9a-f]{16}-01$/.exec(seen.traceparent!) ?? [];
    assert.ok(id !== undefined && ![trace, '0'.repeat(32)].includes(id), seen.traceparent);
    assert.equal(answer.headers['x-trace-id'], id);
    assert.equal(seen.tracestate, undefined);
  });
}

test('each request has a trace of its own, which its answer names', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => fixture.fetch('echo')));
  const ids = answers.map(({ headers }) => String(headers['x-trace-id']));
  assert.equal(new Set(ids).size, 20);
  for (const [n, id] of ids.entries()) {
    assert.match(id, /^[0-9a-f]{32}$/);
    assert.equal((answers[n]!.json().headers as Record<string, string>).traceparent!.slice(3, 35), id);
  }
});

test('only a listed proxy is believed about the address behind it', async () => {
  const trustedProxies = networkList(['127.0.0.0/8', '10.0.0.0/8']);
  const behind = await startFixture({ trustedProxies, database: fixture.database });
  const seen = await received(
    { 'X-Forwarded-For': '6.6.6.6, 203.0.113.7, 10.1.1.1', 'X-Forwarded-Proto': 'https', 'X-Request-Id': 'from-the-proxy' },
    behind,
  );
  assert.equal(seen['x-forwarded-for'], '203.0.113.7');
  assert.equal(seen['x-forwarded-proto'], 'https');
  assert.equal(seen['x-request-id'], 'from-the-proxy');
  await behind.close();
});

test('an answer loses what does not belong to it and keeps the rest as the agent wrote it', async () => {
  const answering = await startAgent((_req, res) => {
    res.setHeader('Set-Cookie', ['a=1; Path=/; Domain=localhost; HttpOnly', 'b=2; domain=".answers.localhost"', 'c=3; Path=/']);
    res.setHeader('Access-Control-Allow-Origin', '*');
    res.setHeader('Access-Control-Allow-Credentials', 'true');
    res.setHeader('X-Paddock-Internal', '1');
    res.setHeader('X-Request-Id', 'mine');
    res.setHeader('X-Trace-Id', 'mine');
    res.setHeader('Server', 'my-server/1.0');
    res.setHeader('X-Custom-CASE', 'kept');
    res.setHeader('Connection', 'X-Hop, close');
    res.setHeader('X-Hop', '1');
    res.end('body');
  });
  await fixture.route('answers', answering);
  const answer = await fixture.fetch('answers');
  assert.deepEqual(answer.headers['set-cookie'], ['a=1; Path=/; HttpOnly', 'b=2; domain=".answers.localhost"', 'c=3; Path=/']);
  assert.equal(answer.headers['access-control-allow-origin'], '*');
  assert.equal(answer.headers['access-control-allow-credentials'], undefined);
  assert.equal(answer.headers['x-paddock-internal'], undefined);
  assert.equal(answer.headers['x-hop'], undefined);
  assert.equal(answer.headers.server, 'my-server/1.0');
  assert.match(String(answer.headers['x-request-id']), /^req_/);
  assert.match(String(answer.headers['x-trace-id']), /^[0-9a-f]{32}$/);
  assert.ok(answer.rawHeaders.includes('X-Custom-CASE'));
  await answering.close();
});

test('answers without a body stay without one', async () => {
  const bare = await startAgent((req, res) => {
    if (req.method === 'HEAD') res.writeHead(200, { 'content-length': '1234', etag: 'x' }).end();
    else res.writeHead(Number(req.url!.slice(1)), { etag: 'x' }).end();
  });
  await fixture.route('bare', bare);
  const head = await fixture.fetch('bare', '/', { method: 'HEAD' });
  assert.deepEqual([head.status, head.headers['content-length'], head.body], [200, '1234', '']);
  for (const status of [204, 304]) {
    const answer = await fixture.fetch('bare', `/${status}`);
    assert.equal(answer.status, status);
    assert.equal(answer.headers['transfer-encoding'], undefined);
    assert.equal(answer.headers['content-length'], undefined);
    assert.equal(answer.headers.etag, 'x');
  }
  await bare.close();
});
