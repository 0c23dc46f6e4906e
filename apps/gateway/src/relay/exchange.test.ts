import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import { echo, type Fixture, startAgent, startFixture, startRawAgent, until } from '../../test/fixture.ts';

let fixture: Fixture;
before(async () => {
  fixture = await startFixture({ limits: { bodyBytes: 1_000_000 } });
});
after(() => fixture.close());

test('an answer is passed on while the agent still writes it', async () => {
  let sayMore: () => void = () => undefined;
  const agent = await startAgent((_req, res) => {
    res.write('first');
    sayMore = () => res.end('last');
  });
  await fixture.route('down', agent);
  const pieces: string[] = [];
  await new Promise<void>((resolve, reject) => {
    const req = request({ port: fixture.gateway.port, headers: { host: 'down.localhost' } }, (res) => {
      res.on('data', (piece: Buffer) => {
        pieces.push(String(piece));
        // The agent sends the rest only once the first piece has arrived here.
        if (pieces.length === 1) sayMore();
      });
      res.on('end', resolve);
    });
    req.on('error', reject);
    req.end();
  });
  assert.deepEqual(pieces, ['first', 'last']);
  await agent.close();
});

test('a request body is passed on while the visitor still writes it', async () => {
  let arrived: (text: string) => void = () => undefined;
  const first = new Promise<string>((resolve) => {
    arrived = resolve;
  });
  const agent = await startAgent((req, res) => {
    let body = '';
    req.on('data', (piece: Buffer) => {
      body += String(piece);
      arrived(body);
    });
    req.on('end', () => res.end(body));
  });
  await fixture.route('up', agent);
  const answered = new Promise<string>((resolve, reject) => {
    const req = request({ port: fixture.gateway.port, method: 'POST', headers: { host: 'up.localhost' } }, (res) => {
      let body = '';
      res.on('data', (piece: Buffer) => (body += String(piece)));
      res.on('end', () => resolve(body));
    });
    req.on('error', reject);
    req.write('one ');
    void first.then((text) => {
      assert.equal(text, 'one ');
      req.end('two');
    });
  });
  assert.equal(await answered, 'one two');
  await agent.close();
});

test('large bodies arrive whole in both directions, with and without a length', async () => {
  const agent = await startAgent((req, res) => {
    if (req.headers['content-length']) res.setHeader('content-length', req.headers['content-length']);
    req.pipe(res);
  });
  await fixture.route('large', agent);
  const body = randomBytes(900_000);
  const hash = createHash('sha256').update(body).digest('hex');
  for (const headers of [{ 'content-length': String(body.length) }, { 'transfer-encoding': 'chunked' }]) {
    const received = await new Promise<Buffer>((resolve, reject) => {
      const req = request({ port: fixture.gateway.port, method: 'POST', headers: { host: 'large.localhost', ...headers } }, (res) => {
        const pieces: Buffer[] = [];
        res.on('data', (piece: Buffer) => pieces.push(piece));
        res.on('end', () => resolve(Buffer.concat(pieces)));
      });
      req.on('error', reject);
      req.end(body);
    });
    assert.equal(createHash('sha256').update(received).digest('hex'), hash);
  }
  await agent.close();
});

test('events of an event stream arrive one by one', async () => {
  let send: (event: string) => void = () => undefined;
  const agent = await startAgent((_req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.flushHeaders();
    send = (event) => res.write(event);
  });
  await fixture.route('events', agent);
  await new Promise<void>((resolve, reject) => {
    const req = request({ port: fixture.gateway.port, headers: { host: 'events.localhost' } }, (res) => {
      // The head arrived although no event was sent yet.
      let count = 0;
      send('data: 0\n\n');
      res.on('data', (piece: Buffer) => {
        assert.equal(String(piece), `data: ${count}\n\n`);
        count += 1;
        if (count === 20) {
          req.destroy();
          resolve();
        } else send(`data: ${count}\n\n`);
      });
    });
    req.on('error', reject);
    req.end();
  });
  await agent.close();
});

test('a WebSocket passes text, binary and close both ways', async () => {
  const agent = await startAgent(echo());
  const sockets = new WebSocketServer({ server: agent.server });
  sockets.on('connection', (socket, req) => {
    socket.send(String(req.headers['x-forwarded-host']));
    socket.on('message', (data, isBinary) => socket.send(data as Buffer, { binary: isBinary }));
  });
  await fixture.route('socket', agent);
  const client = new WebSocket(`ws://127.0.0.1:${fixture.gateway.port}/chat`, { headers: { host: 'socket.localhost' } });
  const big = randomBytes(300_000);
  const received: Buffer[] = [];
  await new Promise<void>((resolve, reject) => {
    client.on('open', () => {
      client.send('hello');
      client.send(big);
    });
    client.on('message', (data: Buffer) => {
      received.push(data);
      if (received.length === 3) client.close(1000, 'done');
    });
    client.on('close', (code) => (code === 1000 ? resolve() : reject(new Error(`closed with ${code}`))));
    client.on('error', reject);
  });
  assert.equal(String(received[0]), 'socket.localhost');
  assert.equal(String(received[1]), 'hello');
  assert.ok(received[2]!.equals(big));
  sockets.close();
  await agent.close();
});

test('an agent that refuses a WebSocket has its answer passed on; one that fakes it is cut', async () => {
  const agent = await startAgent((_req, res) => res.writeHead(403).end('no'));
  await fixture.route('plain', agent);
  const handshake = (label: string) =>
    `GET / HTTP/1.1\r\nHost: ${label}.localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`;
  assert.match(await fixture.raw(handshake('plain')), /^HTTP\/1\.1 403 Forbidden\r\n[^]*no/);
  await agent.close();
  const fake = await startRawAgent((socket) =>
    socket.once('data', () =>
      socket.write('HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: AAAA\r\n\r\nsmuggled'),
    ),
  );
  await fixture.route('fake', fake);
  const answer = await fixture.raw(handshake('fake'));
  assert.match(answer, /^HTTP\/1\.1 502 /);
  assert.doesNotMatch(answer, /smuggled/);
  await fake.close();
});

test('requests without a body share connections to the agent', async () => {
  const agent = await startAgent(echo());
  let connections = 0;
  agent.server.on('connection', () => (connections += 1));
  await fixture.route('kept', agent);
  for (let i = 0; i < 20; i++) assert.equal((await fixture.fetch('kept', `/${i}`)).json().url, `/${i}`);
  for (let i = 0; i < 20; i++) assert.equal((await fixture.fetch('kept', '/', { method: 'POST' })).json().method, 'POST');
  assert.equal(connections, 1);
  await agent.close();
});

test('a connection that was held back for a slow visitor serves the next one', async () => {
  const agent = await startAgent((_req, res) => res.end(Buffer.alloc(400_000, 'x')));
  let connections = 0;
  agent.server.on('connection', () => (connections += 1));
  await fixture.route('held', agent);
  for (let i = 0; i < 10; i++) assert.equal((await fixture.fetch('held')).body.length, 400_000);
  assert.equal(connections, 1);
  await agent.close();
});

test('pipelined requests are answered in order', async () => {
  const agent = await startAgent((req, res) => setTimeout(() => res.end(req.url), req.url === '/1' ? 50 : 0));
  await fixture.route('pipe', agent);
  const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: pipe.localhost\r\n${more}\r\n`;
  const answers = await fixture.raw(get('/1') + get('/2') + get('/3', 'Connection: close\r\n'));
  assert.deepEqual(answers.match(/\/\d(?=HTTP|$|\r\n0)/g), ['/1', '/2', '/3']);
  await agent.close();
});

test('not one request fails while the route moves from one instance to the next', async () => {
  const first = await startAgent((req, res) => req.resume().on('end', () => setTimeout(() => res.end('a'), 5)));
  const second = await startAgent((req, res) => req.resume().on('end', () => setTimeout(() => res.end('b'), 5)));
  await fixture.route('swap', first);
  let isOver = false;
  const seen = { a: 0, b: 0, failed: 0 };
  const rounds = Array.from({ length: 8 }, () => 0);
  const visitors = Array.from({ length: 8 }, async (_, visitor) => {
    for (;;) {
      if (isOver) return;
      const answer = await fixture.fetch('swap', '/', visitor % 2 ? { method: 'POST', body: 'x' } : {}).catch(() => undefined);
      if (answer?.status === 200) seen[answer.body as 'a' | 'b'] += 1;
      else seen.failed += 1;
      rounds[visitor]! += 1;
    }
  });
  for (let i = 0; i < 10; i++) await fixture.route('swap', i % 2 ? first : second);
  await fixture.route('swap', second);
  // The old instance exits once the requests on their way to it are answered: when every visitor has had another turn.
  const turns = [...rounds];
  await until(() => rounds.every((round, visitor) => round > turns[visitor]! + 1), 'every visitor had another turn');
  await new Promise((resolve) => first.server.close(resolve));
  const before = seen.b;
  while (seen.b < before + 50) await new Promise((resolve) => setTimeout(resolve, 5));
  isOver = true;
  await Promise.all(visitors);
  assert.equal(seen.failed, 0);
  assert.ok(seen.a > 0 && seen.b > 0);
  await second.close();
});

test('a kept connection that the agent has closed costs no request that may be repeated', async () => {
  const agent = await startRawAgent((socket: Socket) => {
    let asked = 0;
    // Responds once, then hangs up on the second request of a connection, like a server whose keep-alive has expired.
    socket.on('data', () => {
      asked += 1;
      if (asked === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      else socket.destroy();
    });
  });
  await fixture.route('closing', agent);
  for (let i = 0; i < 6; i++) assert.equal((await fixture.fetch('closing')).status, 200);
  await agent.close();
});

test('an agent that does not listen is said to be unreachable', async () => {
  const agent = await startAgent(echo());
  await fixture.route('gone', agent);
  await agent.close();
  const answer = await fixture.fetch('gone', '/', { method: 'POST', body: 'x' });
  assert.equal(answer.status, 502);
  assert.equal(answer.json().code, 'agent_unreachable');
});
