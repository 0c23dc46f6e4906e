import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { type Agent, type Fixture, startAgent, startFixture, startRawAgent, until } from '../../test/fixture.ts';

let fixture: Fixture;
let agent: Agent;
before(async () => {
  fixture = await startFixture({ limits: { bodyBytes: 3_000_000 } });
  agent = await startAgent((req, res) => req.resume().on('end', () => res.end(`<${req.url}>`)));
  await fixture.route('agent', agent);
  await fixture.route('stopped', 'stopped');
  await fixture.route('crashed', 'crashed');
  await fixture.route('starting', 'starting');
});
after(async () => {
  await fixture.close();
  await agent.close();
});

const next = 'GET /next HTTP/1.1\r\nHost: agent.localhost\r\nConnection: close\r\n\r\n';
const hosts: [string, number][] = [
  ['nobody.localhost', 404],
  ['stopped.localhost', 503],
  ['crashed.localhost', 502],
  ['starting.localhost', 503],
  ['127.0.0.1', 404],
];

for (const [host, status] of hosts) {
  test(`a page of ${host} leaves the connection to the next request, with a body of the first and without`, async () => {
    const plain = await fixture.raw(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n${next}`);
    assert.match(plain, new RegExp(`^HTTP/1\\.1 ${status} [^]*<\\/next>$`));
    const head = await fixture.raw(`HEAD / HTTP/1.1\r\nHost: ${host}\r\n\r\n${next}`);
    assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} [^]*?\\r\\n\\r\\nHTTP/1\\.1 200 [^]*<\\/next>$`));
    const body = 'x'.repeat(1_000_000);
    const posted = await fixture.raw(`POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${body.length}\r\n\r\n${body}${next}`);
    assert.match(posted, new RegExp(`^HTTP/1\\.1 ${status} [^]*<\\/next>$`));
    const chunks = `f4240\r\n${body}\r\n0\r\n\r\n`;
    const chunked = await fixture.raw(`POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}${next}`);
    assert.match(chunked, new RegExp(`^HTTP/1\\.1 ${status} [^]*<\\/next>$`));
    const old = await fixture.raw(`GET / HTTP/1.0\r\nHost: ${host}\r\nConnection: keep-alive\r\n\r\n${next}`);
    assert.match(old, new RegExp(`^HTTP/1\\.1 ${status} [^]*\\r\\nConnection: keep-alive\\r\\n[^]*<\\/next>$`));
  });
}

test('who waits for 100 Continue gets a page instead, and the connection ends', async () => {
  const received = await fixture.raw('POST / HTTP/1.1\r\nHost: nobody.localhost\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n');
  assert.match(received, /^HTTP\/1\.1 404 [^]*\r\nConnection: close\r\n/);
});

test('an agent that answers early and goes on reading costs the visitor nothing but the rest', async () => {
  let connections = 0;
  const early = await startRawAgent((socket) => {
    connections += 1;
    socket.on('data', (piece) => {
      if (String(piece).startsWith('POST')) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nearly');
      else if (String(piece).startsWith('GET')) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlate');
    });
  });
  await fixture.route('early', early);
  const received = await new Promise<string>((resolve, reject) => {
    let text = '';
    const socket = connect(fixture.gateway.port, '127.0.0.1', () => {
      socket.write('POST / HTTP/1.1\r\nHost: early.localhost\r\nContent-Length: 1000000\r\n\r\nbeginning');
    });
    socket.on('data', (piece: Buffer) => {
      const isFirst = text === '';
      text += String(piece);
      // The rest of the body is sent only now, followed by another request.
      if (isFirst) socket.write('x'.repeat(1_000_000 - 9) + next.replace('agent.', 'early.'));
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
  });
  assert.match(received, /\r\n\r\nearlyHTTP\/1\.1 200 OK\r\n[^]*late$/);
  // The agent must not read the rest of the body as a request.
  assert.equal(connections, 2);
  await early.close();
});

/** An agent that begins its response before it has the body, and then waits. */
function startBeginner(head: string): ReturnType<typeof startRawAgent> {
  return startRawAgent((socket: Socket) => socket.once('data', () => socket.write(head)));
}

for (const [name, rest] of [
  ['turns out broken', 'zz\r\n'],
  ['turns out too large', `2dc6c1\r\n${'x'.repeat(3_000_001)}\r\n`],
] as const) {
  test(`a body that ${name} after the agent began to answer never puts a page into the answer`, async () => {
    const beginner = await startBeginner('HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\nbegun');
    await fixture.route('begins', beginner);
    const received = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(fixture.gateway.port, '127.0.0.1', () => {
        socket.write('POST / HTTP/1.1\r\nHost: begins.localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n');
      });
      socket.on('data', (piece: Buffer) => {
        text += String(piece);
        if (text.endsWith('begun')) socket.write(rest);
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(text));
    });
    assert.ok(received.endsWith('\r\n\r\nbegun'), received.slice(0, 500));
    await beginner.close();
  });
}

test('an upload that is refused by its length is told so, though the visitor sends it all', async () => {
  let received = '';
  const socket = connect(fixture.gateway.port, '127.0.0.1', () => {
    socket.write(`POST / HTTP/1.1\r\nHost: agent.localhost\r\nContent-Length: 4000000\r\n\r\n${'x'.repeat(4_000_000)}`);
  });
  socket.on('data', (piece: Buffer) => (received += String(piece)));
  socket.on('error', () => undefined);
  await until(() => socket.closed || received.includes('body_too_large'), 'the page is there');
  assert.match(received, /^HTTP\/1\.1 413 [^]*\r\nConnection: close\r\n[^]*body_too_large/);
  socket.destroy();
});

test('a header that asks for a WebSocket counts only if Connection names it', async () => {
  const request = 'GET /plain HTTP/1.1\r\nHost: agent.localhost\r\nUpgrade: websocket\r\n\r\n';
  assert.match(await fixture.raw(request + next), /^HTTP\/1\.1 200 OK[^]*<\/plain>[^]*<\/next>/);
});

test('a request whose held body may pass leaves at once, though it is whole and a connection is free', async () => {
  const hold = { request: { kind: 'whole' as const, maxBytes: 4, tooLarge: () => 'pass' as const, decide: () => Promise.resolve({}) } };
  const holding = await startFixture({ database: fixture.database, tapsOf: () => [{ hold: () => hold }] });
  await holding.route('agent', agent);
  for (let round = 0; round < 3; round++)
    assert.equal((await holding.fetch('agent', '/held', { method: 'POST', body: 'longer than 4' })).body, '</held>');
  await holding.close();
});
