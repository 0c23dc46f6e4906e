import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { networkList } from '@paddock/network';
import { type Agent, echo, type Fixture, startAgent, startFixture } from '../../test/fixture.ts';

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

test('a trace goes on if it is valid and begins here if not', async () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  assert.equal((await received({ traceparent, tracestate: 'a=b' })).traceparent, traceparent);
  const fresh = await received({ traceparent: '00-00000000000000000000000000000000-00f067aa0ba902b7-01', tracestate: 'a=b' });
  assert.match(fresh.traceparent!, /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  assert.notEqual(fresh.traceparent!.slice(3, 35), '0'.repeat(32));
  assert.equal(fresh.tracestate, undefined);
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
