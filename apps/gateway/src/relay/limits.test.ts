import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { type Agent, echo, type Fixture, startAgent, startFixture, startRawAgent, until } from '../../test/fixture.ts';

let fixture: Fixture;
let agent: Agent;
before(async () => {
  fixture = await startFixture({
    limits: {
      headMs: 500,
      bodyIdleMs: 500,
      bodyBytes: 10_000,
      clientWriteMs: 800,
      keepAliveMs: 300,
      connectionsPerAddress: 12,
      inFlightPerDeployment: 3,
      socketsPerTarget: 2,
      waitingMs: 500,
      lingerMs: 200,
      upstreamRetryMs: 700,
    },
  });
  agent = await startAgent(echo());
  await fixture.route('echo', agent);
});
after(async () => {
  await fixture.close();
  await agent.close();
});

test('headers that do not come to an end are answered 408 and closed', async () => {
  assert.match(await fixture.raw('GET / HTTP/1.1\r\nHost: echo.localhost\r\nX: '), /^HTTP\/1\.1 408 /);
  assert.match(await fixture.raw(''), /^(HTTP\/1\.1 408 |$)/);
});

test('a body that stops coming is answered 408 and closed', async () => {
  const answer = await fixture.raw('POST / HTTP/1.1\r\nHost: echo.localhost\r\nContent-Length: 10\r\n\r\nabc');
  assert.match(answer, /^HTTP\/1\.1 408 [^]*request_timed_out/);
});

test('a body beyond the limit is refused by its length at once, and without one when it gets there', async () => {
  const announced = await fixture.raw('POST / HTTP/1.1\r\nHost: echo.localhost\r\nContent-Length: 10001\r\n\r\n');
  assert.match(announced, /^HTTP\/1\.1 413 [^]*body_too_large/);
  const chunk = `1000\r\n${'x'.repeat(4096)}\r\n`;
  const streamed = await fixture.raw(`POST / HTTP/1.1\r\nHost: echo.localhost\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(4)}`);
  assert.match(streamed, /^HTTP\/1\.1 413 [^]*body_too_large/);
});

test('an idle connection is closed', async () => {
  const answer = await fixture.raw('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  assert.match(answer, /^HTTP\/1\.1 200 OK[^]*ok\n$/);
});

test('one address gets so many connections and no more, and gets new ones when old ones end', async () => {
  const sockets: Socket[] = [];
  let refused = 0;
  for (let i = 0; i < 20; i++) {
    const socket = connect(fixture.gateway.port, '127.0.0.1');
    socket.on('error', () => socket.destroy());
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.on('close', () => (refused += 1));
    sockets.push(socket);
  }
  await until(() => refused >= 8, 'those beyond 12 are closed');
  for (const socket of sockets) socket.destroy();
  await until(async () => (await fixture.fetch('echo').catch(() => undefined))?.status === 200, 'there is room again');
});

test('a deployment gets so many requests at a time, the others a busy page; more than its connections wait', async () => {
  let release: () => void = () => undefined;
  let most = 0;
  let open = 0;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow = await startAgent((_req, res) => {
    open += 1;
    most = Math.max(most, open);
    void released.then(() => {
      open -= 1;
      res.end('done');
    });
  });
  await fixture.route('slow', slow);
  const asked = Array.from({ length: 5 }, () => fixture.fetch('slow'));
  await until(() => open === 2, 'two are with the agent');
  const busy = await Promise.race(asked);
  assert.deepEqual([busy.status, busy.json().code], [503, 'agent_busy']);
  release();
  const statuses = (await Promise.all(asked)).map((answer) => answer.status).sort((a, b) => a - b);
  assert.deepEqual(statuses, [200, 200, 200, 503, 503]);
  assert.equal(most, 2);
  await slow.close();
});

test('a visitor who reads nothing costs bounded memory and is cut off', async () => {
  let written = 0;
  const endless = await startRawAgent((socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n');
      const piece = Buffer.alloc(64 * 1024);
      const pump = () => {
        while (!socket.destroyed && socket.write(piece)) written += piece.length;
      };
      socket.on('drain', pump);
      pump();
    });
  });
  await fixture.route('endless', endless);
  const before = process.memoryUsage().external;
  const socket = connect(fixture.gateway.port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: endless.localhost\r\n\r\n'));
  socket.pause();
  socket.on('error', () => socket.destroy());
  await until(() => written > 0, 'the agent writes');
  await until(async () => {
    const now = written;
    await new Promise((resolve) => setTimeout(resolve, 100));
    return written === now;
  }, 'the agent is held back');
  assert.ok(process.memoryUsage().external - before < 20_000_000);
  assert.ok(written < 30_000_000, `${written} bytes left the agent`);
  // Reading begins only now: the buffered bytes arrive, and then the end.
  await new Promise((resolve) => setTimeout(resolve, 1_300));
  socket.resume();
  await new Promise((resolve) => socket.on('close', resolve));
  assert.ok(socket.bytesRead < 1_000_000_000);
  await endless.close();
});

test('an agent that reads nothing holds its visitor back', async () => {
  const deaf = await startRawAgent((socket) => void socket.pause());
  const { port } = deaf;
  const wide = await startFixture({ database: fixture.database, limits: { firstByteMs: 700 } });
  await wide.route('deaf', { port });
  const total = 50_000_000;
  let sent = 0;
  let received = '';
  const socket = connect(wide.gateway.port, '127.0.0.1', () => {
    socket.write(`POST / HTTP/1.1\r\nHost: deaf.localhost\r\nContent-Length: ${total}\r\n\r\n`);
    const piece = Buffer.alloc(64 * 1024);
    const pump = () => {
      while (!socket.destroyed && sent < total && socket.write(piece)) sent += piece.length;
    };
    socket.on('drain', pump);
    pump();
  });
  socket.on('data', (piece: Buffer) => (received += String(piece)));
  socket.on('error', () => socket.destroy());
  await until(() => socket.closed || received.includes('\r\n\r\n'), 'the visitor has an answer');
  assert.ok(sent < 40_000_000, `${sent} bytes were taken`);
  socket.destroy();
  await wide.close();
  await deaf.close();
});

test('a request that finds nobody listening is answered by the instance that comes instead', async () => {
  const gone = await startAgent(echo());
  await fixture.route('replaced', gone);
  await gone.close();
  const asked = fixture.fetch('replaced', '/', { method: 'POST', body: 'kept' });
  await fixture.route('replaced', agent);
  const answer = await asked;
  assert.deepEqual([answer.status, answer.json().body], [200, 'kept']);
});
