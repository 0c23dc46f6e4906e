import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { type Agent, echo, type Fixture, startAgent, startFixture, startRawAgent, until } from '../../test/fixture.ts';

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

/** Sends all bytes and closes the sending side; returns everything received until the gateway closed as well. */
function halfClosed(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(fixture.gateway.port, '127.0.0.1', () => socket.end(bytes, 'latin1'));
    socket.on('data', (piece: Buffer) => (received += piece.toString('latin1')));
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
  });
}
const get = (label: string) => `GET /asked HTTP/1.1\r\nHost: ${label}.localhost\r\n\r\n`;

test('what a half-closed visitor has asked is answered, and then its connection ends', async () => {
  assert.match(await halfClosed(get('echo')), /^HTTP\/1\.1 200 OK[^]*"\/asked"/);
  const posted = await halfClosed('POST / HTTP/1.1\r\nHost: echo.localhost\r\nContent-Length: 3\r\n\r\nabc');
  assert.match(posted, /^HTTP\/1\.1 200 OK[^]*"body":"abc"/);
  assert.match(await halfClosed(get('nobody')), /^HTTP\/1\.1 404 /);
});

test('all that a half-closed visitor has asked is answered, agents and pages in turn', async () => {
  const received = await halfClosed((get('echo') + get('nobody').repeat(40)).repeat(3));
  const statuses = [...received.matchAll(/HTTP\/1\.1 (\d+) /g)].map((match) => match[1]);
  const round = ['200', ...Array.from({ length: 40 }, () => '404')];
  assert.deepEqual(statuses, [...round, ...round, ...round]);
});

test('a visitor who closes before the body is whole is not waited for', async () => {
  const received = await halfClosed('POST / HTTP/1.1\r\nHost: echo.localhost\r\nContent-Length: 10\r\n\r\nabc');
  assert.doesNotMatch(received, /^HTTP\/1\.1 200 /);
  assert.equal((await fixture.fetch('echo')).status, 200);
});

test('half a head and the end gets no answer and no waiting', async () => {
  assert.doesNotMatch(await halfClosed('GET / HTTP/1.1\r\nHost: echo.loc'), /^HTTP\/1\.1 2/);
});

test('a visitor who is gone while the agent thinks leaves room for another soon', async () => {
  const asked: Socket[] = [];
  const silent = await startRawAgent((socket) => socket.once('data', () => asked.push(socket)));
  const strict = await startFixture({ database: fixture.database, limits: { halfClosedMs: 300, inFlightPerDeployment: 1 } });
  await strict.route('silent', silent);
  const { port } = strict.gateway;
  const visitor = connect(port, '127.0.0.1', () => visitor.write(get('silent')));
  await until(() => asked.length === 1, 'the agent was asked');
  assert.equal((await strict.fetch('silent')).status, 503);
  visitor.on('error', () => undefined);
  visitor.end();
  await until(async () => {
    const waiting = connect(port, '127.0.0.1', () => waiting.write(get('silent')));
    await new Promise((resolve) => setTimeout(resolve, 50));
    waiting.destroy();
    return asked.length > 1;
  }, 'the next request reaches the agent');
  await silent.close();
  await strict.close();
});

test('a half-closed visitor reads the whole of a long answer slowly', async () => {
  const long = await startAgent((_req, res) => res.end(Buffer.alloc(3_000_000, 'x')));
  await fixture.route('long', long);
  let length = 0;
  await new Promise<void>((resolve, reject) => {
    const socket = connect(fixture.gateway.port, '127.0.0.1', () => socket.end(get('long')));
    socket.on('data', (piece: Buffer) => {
      length += piece.length;
      socket.pause();
      setTimeout(() => socket.resume(), 2);
    });
    socket.on('error', reject);
    socket.on('close', () => resolve());
  });
  assert.ok(length > 3_000_000, `${length} bytes came`);
  await long.close();
});
