// Interference between several requests of one connection, and between its two directions.
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, type TestContext, test } from 'node:test';
import { networkList } from '@paddock/network';
import { type Agent, echo, type Fixture, startAgent, startFixture, startRawAgent, until } from '../../test/fixture.ts';

const host = 'Host: echo.localhost\r\n';
let fixture: Fixture;
let agent: Agent;
before(async () => {
  fixture = await startFixture({
    trustedProxies: networkList(['127.0.0.0/8']),
    limits: { headMs: 300, keepAliveMs: 300_000, inFlightPerDeployment: 1, upstreamRetryMs: 1, drainMs: 100 },
  });
  agent = await startAgent(echo());
  await fixture.route('echo', agent);
});
after(async () => {
  await fixture.close();
  await agent.close();
});

/** A connection with the bytes received so far; the test controls the visitor's end. */
function visitor(t: TestContext): { socket: Socket; received: () => string; isClosed: () => boolean } {
  let received = '';
  let isClosed = false;
  const socket = connect({ port: fixture.gateway.port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('data', (piece: Buffer) => (received += piece.toString('latin1')));
  socket.on('end', () => socket.end());
  socket.on('error', () => socket.destroy());
  socket.on('close', () => (isClosed = true));
  t.after(() => socket.destroy());
  return { socket, received: () => received, isClosed: () => isClosed };
}

test('each request of a proxy’s connection has the address of its own visitor', async () => {
  const request = (headers: string) => `GET / HTTP/1.1\r\n${host}${headers}\r\n`;
  const answer = await fixture.raw(
    request('X-Forwarded-For: 203.0.113.1\r\nX-Forwarded-Proto: https\r\n') +
      request('X-Forwarded-For: 203.0.113.2\r\n') +
      request('Connection: close\r\n'),
  );
  const seen = [...answer.matchAll(/"x-forwarded-for":"([^"]*)","x-forwarded-proto":"([^"]*)"/g)].map(([, address, proto]) => [
    address,
    proto,
  ]);
  assert.deepEqual(seen, [
    ['203.0.113.1', 'https'],
    ['203.0.113.2', 'http'],
    ['127.0.0.1', 'http'],
  ]);
});

test('a request on a kept connection has as much time for its head as the first one', async (t) => {
  const { socket, received, isClosed } = visitor(t);
  socket.write(`GET / HTTP/1.1\r\n${host}\r\n`);
  await until(() => received().endsWith('}'), 'the first request is answered');
  socket.write(`GET / HTTP/1.1\r\n${host}X: `);
  await until(isClosed, 'the second one is given up');
  assert.match(received(), /\}HTTP\/1\.1 408 /);
});

test('a connection on which nobody asks anything is closed', async (t) => {
  const { isClosed, received } = visitor(t);
  await until(isClosed, 'it is closed');
  assert.equal(received(), '');
});

test('who waits for 100 Continue hears it once, and only if the request is to go on', async (t) => {
  const { socket, received, isClosed } = visitor(t);
  socket.write(`POST / HTTP/1.1\r\n${host}Content-Length: 6\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`);
  await until(() => received() !== '', 'the visitor may go on');
  assert.equal(received(), 'HTTP/1.1 100 Continue\r\n\r\n');
  for (const piece of ['ab', 'cd', 'ef']) {
    socket.write(piece);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await until(isClosed, 'the answer is there');
  assert.equal(
    received()
      .match(/HTTP\/1\.1 \d+/g)!
      .join(),
    'HTTP/1.1 100,HTTP/1.1 200',
  );
  assert.match(received(), /"body":"abcdef"/);
  const refused = await fixture.raw('POST / HTTP/1.1\r\nHost: nobody.localhost\r\nContent-Length: 6\r\nExpect: 100-continue\r\n\r\n');
  assert.match(refused, /^HTTP\/1\.1 404 [^]*\r\nConnection: close\r\n/);
});

test('a visitor who has closed the sending side gets the answer to what was asked', async (t) => {
  const slow = await startAgent((_req, res) => setTimeout(() => res.end('at last'), 100));
  t.after(slow.close);
  await fixture.route('slow', slow);
  const { socket, received, isClosed } = visitor(t);
  socket.end('GET / HTTP/1.1\r\nHost: slow.localhost\r\n\r\n');
  await until(isClosed, 'the connection is over');
  assert.match(received(), /^HTTP\/1\.1 200 OK\r\n[^]*at last$/);
});

test('a visitor who closes the sending side within a request gets no answer, and the agent no whole request', async (t) => {
  let begun = 0;
  let whole = 0;
  let isCut = false;
  const reading = await startAgent((req, res) => {
    begun += 1;
    req.resume().on('end', () => {
      whole += 1;
      res.end();
    });
    req.on('error', () => (isCut = true));
  });
  t.after(reading.close);
  await fixture.route('reading', reading);
  const { socket, isClosed } = visitor(t);
  socket.write('POST / HTTP/1.1\r\nHost: reading.localhost\r\nContent-Length: 10\r\n\r\nabc');
  await until(() => begun > 0, 'the agent has the beginning');
  socket.end('def');
  await until(isClosed, 'the connection is over');
  await until(() => isCut, 'the agent sees that the request broke off');
  assert.equal(whole, 0);
});

test('an empty line before a request is passed over, and no second one', async () => {
  const get = `GET / HTTP/1.1\r\n${host}Connection: close\r\n\r\n`;
  assert.match(await fixture.raw(`\r\n${get}`), /^HTTP\/1\.1 200 /);
  assert.match(await fixture.raw(`\r\n\r\n${get}`), /^HTTP\/1\.1 400 /);
});

test('a request that may do harm is never sent twice, though the agent hangs up on a kept connection', async (t) => {
  const asked: string[] = [];
  const hangingUp = await startRawAgent((socket) => {
    let requests = 0;
    socket.on('data', (piece: Buffer) => {
      requests += 1;
      asked.push(piece.toString('latin1').split(' ')[0]!);
      if (requests === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      else socket.destroy();
    });
  });
  t.after(hangingUp.close);
  await fixture.route('hanging', hangingUp);
  assert.equal((await fixture.fetch('hanging')).status, 200);
  const answer = await fixture.fetch('hanging', '/', { method: 'POST', body: 'pay' });
  assert.deepEqual([answer.status, answer.json().code], [502, 'agent_answer_broken']);
  assert.deepEqual(asked, ['GET', 'POST']);
});

test('a request that failed takes nobody’s place', async () => {
  const gone = await startAgent(echo());
  await fixture.route('gone', gone);
  await gone.close();
  for (let i = 0; i < 3; i++) assert.equal((await fixture.fetch('gone')).json().code, 'agent_unreachable');
  await fixture.route('gone', agent);
  assert.equal((await fixture.fetch('gone')).status, 200);
});

test('neither extensions nor trailers of a request reach the agent, and its data does whole', async (t) => {
  let raw = '';
  const listening = await startRawAgent((socket) =>
    socket.on('data', (piece: Buffer) => {
      raw += piece.toString('latin1');
      if (raw.endsWith('0\r\n\r\n')) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    }),
  );
  t.after(listening.close);
  await fixture.route('listening', listening);
  const body = '3;a="b;c"\r\nabc\r\n0004\r\ndefg\r\n0;last\r\nAuthorization: later\r\n\r\n';
  const head =
    'POST / HTTP/1.1\r\nHost: listening.localhost\r\nTransfer-Encoding: chunked\r\nTrailer: Authorization\r\nConnection: close\r\n\r\n';
  assert.match(await fixture.raw(head + body), /^HTTP\/1\.1 200 /);
  assert.equal(raw.slice(raw.indexOf('\r\n\r\n') + 4), '3\r\nabc\r\n0004\r\ndefg\r\n0\r\n\r\n');
  assert.doesNotMatch(raw, /Authorization/);
});
