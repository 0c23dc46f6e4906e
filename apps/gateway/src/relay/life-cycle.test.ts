import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { type Fixture, startFixture, startRawAgent, until } from '../../test/fixture.ts';
import type { Tap } from '../taps/tap.ts';

const most = 24;
const begun: string[] = [];
const ended: string[] = [];
const counted: string[] = [];
const tap: Tap = {
  watch: (exchange) => {
    begun.push(exchange.requestId);
    return { ended: ({ requestId }) => void ended.push(requestId) };
  },
  ended: ({ requestId }) => void counted.push(requestId),
};

let fixture: Fixture;
let agent: Awaited<ReturnType<typeof startRawAgent>>;
const atAgent = new Set<Socket>();
before(async () => {
  fixture = await startFixture({
    tapsOf: () => [tap],
    limits: {
      connectionsPerAddress: 3 * most,
      inFlightPerDeployment: most,
      inFlightPerVisitor: most,
      webSocketsPerDeployment: most,
      webSocketsPerVisitor: most,
      socketsPerTarget: most,
      socketsPerVisitor: most,
      waitingMs: 100,
      headMs: 400,
      bodyIdleMs: 400,
      firstByteMs: 400,
      answerIdleMs: 400,
      clientWriteMs: 400,
      lingerMs: 200,
      keepAliveMs: 400,
      upstreamIdleMs: 300,
      webSocketIdleMs: 400,
    },
  });
  agent = await startRawAgent(behave);
  await fixture.route('storm', agent);
});
after(async () => {
  await fixture.close();
  await agent.close();
});

/** Behaves as the path of a request names. */
function behave(socket: Socket): void {
  atAgent.add(socket);
  socket.on('close', () => atAgent.delete(socket));
  socket.on('data', (piece) => {
    const path = /^[A-Z]+ (\/\S*)/.exec(String(piece))?.[1];
    if (path === '/ok') socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    else if (path === '/hangs-up') socket.destroy();
    else if (path === '/broken') socket.write('nonsense\r\n\r\n');
    else if (path === '/half') socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf');
    else if (path === '/stalls') socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf');
    else if (path === '/until-close') socket.end('HTTP/1.0 200 OK\r\n\r\nall');
    else if (path === '/much')
      socket.write(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 20000000\r\n\r\n'), Buffer.alloc(20_000_000)]));
    else if (path === '/socket') socket.write(switched(String(piece)));
    else if (path === '/socket-and-away') socket.end(switched(String(piece)));
  });
}

/** The accept value for this one key. */
const key = 'dGhlIHNhbXBsZSBub25jZQ==';
function switched(request: string): string {
  assert.ok(request.includes(key));
  return 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n';
}

const host = 'Host: storm.localhost\r\n';
const get = (path: string) => `GET ${path} HTTP/1.1\r\n${host}\r\n`;
const post = (path: string, length: number) => `POST ${path} HTTP/1.1\r\n${host}Content-Length: ${length}\r\n\r\n`;
const webSocket = (path: string) =>
  `GET ${path} HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`;

/** Inputs of visitors; each is sent by one who stays, one who closes, and one who vanishes at once or a little later. */
const said = [
  get('/ok'),
  get('/ok').repeat(5),
  get('/hangs-up'),
  post('/hangs-up', 0),
  get('/broken'),
  get('/half'),
  get('/stalls'),
  get('/silent'),
  get('/until-close'),
  get('/much'),
  get('/ok').slice(0, 20),
  'nonsense',
  post('/ok', 100),
  `${post('/silent', 100)}some`,
  `${post('/ok', 3)}abc${get('/ok')}`,
  `POST /ok HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nzz`,
  `POST /ok HTTP/1.1\r\n${host}Content-Length: 3\r\nExpect: 100-continue\r\n\r\n`,
  get('/ok').replace('storm.', 'nobody.'),
  webSocket('/socket'),
  webSocket('/socket-and-away'),
  webSocket('/hangs-up'),
  webSocket('/ok'),
];
const waysToGo: ((socket: Socket) => void)[] = [
  () => undefined,
  (socket) => socket.end(),
  (socket) => socket.destroy(),
  (socket) => void setTimeout(() => socket.resetAndDestroy(), 5),
  (socket) => socket.pause(),
];

async function visit(bytes: string, go: (socket: Socket) => void): Promise<void> {
  const socket = connect(fixture.gateway.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.resume();
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
  go(socket);
  // A client that does not read notices only by reading that it was cut off.
  const timer = setTimeout(() => socket.resume(), 1_500);
  await closed;
  clearTimeout(timer);
}

test('after every kind of ending nothing is left behind, and each exchange was told once', async () => {
  const visits = said.flatMap((bytes) => waysToGo.map((go) => () => visit(bytes, go)));
  const turns = Array.from({ length: most }, async () => {
    for (let next = visits.pop(); next !== undefined; next = visits.pop()) await next();
  });
  await Promise.all(turns);
  await until(() => atAgent.size === 0, 'no connection to the agent is left');
  await until(() => begun.length > 0 && ended.length === begun.length, 'every exchange has ended');
  assert.equal(new Set(ended).size, ended.length);
  assert.deepEqual([...counted].sort(), [...begun].sort());

  // There is room for as many as at the beginning: no request is refused or queued.
  const isEach = (answers: string[], start: string) => assert.deepEqual([...new Set(answers.map((text) => text.slice(0, 12)))], [start]);
  isEach(await Promise.all(Array.from({ length: most }, () => fixture.raw(get('/silent')))), 'HTTP/1.1 504');
  isEach(await Promise.all(Array.from({ length: most }, () => fixture.raw(webSocket('/socket')))), 'HTTP/1.1 101');
  const health = 'GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
  isEach(await Promise.all(Array.from({ length: 3 * most }, () => fixture.raw(health))), 'HTTP/1.1 200');
});
