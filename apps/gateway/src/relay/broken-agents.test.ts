import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { type Fixture, startFixture, startRawAgent } from '../../test/fixture.ts';

let fixture: Fixture;
before(async () => {
  fixture = await startFixture({ limits: { firstByteMs: 600, answerIdleMs: 600 } });
});
after(() => fixture.close());

const get = 'GET / HTTP/1.1\r\nHost: odd.localhost\r\nConnection: close\r\n\r\n';

async function answerOf(behaviour: (socket: Socket) => void, request = get): Promise<string> {
  const agent = await startRawAgent(behaviour);
  await fixture.route('odd', agent);
  const answer = await fixture.raw(request);
  await agent.close();
  return answer;
}
const says = (bytes: string) => (socket: Socket) => void socket.once('data', () => socket.write(bytes, 'latin1'));
const saysAndCloses = (bytes: string) => (socket: Socket) => void socket.once('data', () => socket.end(bytes, 'latin1'));

const broken: [string, string][] = [
  ['not HTTP', 'hello\r\n\r\n'],
  ['a status that is none', 'HTTP/1.1 20 OK\r\n\r\n'],
  ['HTTP/2', 'HTTP/2 200 OK\r\n\r\n'],
  ['bare line feeds', 'HTTP/1.1 200 OK\nContent-Length: 0\n\n\r\n\r\n'],
  ['a split header', 'HTTP/1.1 200 OK\r\nX: a\rSet-Cookie: b=1\r\nContent-Length: 0\r\n\r\n'],
  ['a folded header', 'HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 0\r\n\r\n'],
  ['a space before a colon', 'HTTP/1.1 200 OK\r\nContent-Length : 0\r\n\r\n'],
  ['NUL in a header', 'HTTP/1.1 200 OK\r\nX: a\0\r\nContent-Length: 0\r\n\r\n'],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
  ['a length and chunks', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['an unknown coding', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
  ['a switch of protocols unasked', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'],
  ['a flood of interim answers', 'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n'.repeat(100)],
  ['a head without end', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(100_000)}`],
  ['a line of blanks', `HTTP/1.1 200 OK\r\nX:${' '.repeat(60_000)}\x01\r\n\r\n`],
  ['too many headers', `HTTP/1.1 200 OK\r\n${'X: a\r\n'.repeat(300)}\r\n`],
];
for (const [name, bytes] of broken) {
  test(`an agent's answer is refused: ${name}`, async () => {
    const answer = await answerOf(says(bytes));
    assert.match(answer, /^HTTP\/1\.1 502 Bad Gateway\r\n[^]*agent_answer_broken/);
    assert.doesNotMatch(answer, /Set-Cookie/i);
  });
}

test('an agent that closes without a word, or never says one, gets its own page', async () => {
  assert.match(await answerOf(saysAndCloses('')), /^HTTP\/1\.1 502 [^]*agent_answer_broken/);
  assert.match(await answerOf(() => undefined), /^HTTP\/1\.1 504 [^]*agent_timed_out/);
});

test('an answer that ends too early is never made to look whole', async () => {
  const short = await answerOf(saysAndCloses('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc'));
  assert.match(short, /Content-Length: 100\r\n/);
  assert.ok(short.endsWith('abc'));
  const chunks = await answerOf(saysAndCloses('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n'));
  assert.doesNotMatch(chunks, /\r\n0\r\n\r\n$/);
  const silent = await answerOf(says('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc'));
  assert.ok(silent.endsWith('abc'));
  const badChunk = await answerOf(says('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcdef\r\n0\r\n\r\n'));
  assert.doesNotMatch(badChunk, /\r\n0\r\n\r\n$/);
});

test('bytes beyond the announced length reach nobody, not even with the next request', async () => {
  let connections = 0;
  const agent = await startRawAgent((socket) => {
    connections += 1;
    socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil'));
  });
  await fixture.route('odd', agent);
  for (let i = 0; i < 3; i++) assert.equal((await fixture.fetch('odd')).body, 'ok');
  assert.equal(connections, 3);
  await agent.close();
});

test('an answer that arrives byte by byte is read all the same, chunk extensions and trailers gone', async () => {
  const bytes =
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX: y\r\n\r\n3;a=b\r\nabc\r\nA\r\n0123456789\r\n0\r\nT: v\r\n\r\n';
  const answer = await answerOf((socket) => {
    socket.setNoDelay(true);
    socket.once('data', () => {
      let at = 0;
      const next = () => {
        if (at >= bytes.length || socket.destroyed) return;
        socket.write(bytes[at]!);
        at += 1;
        setImmediate(next);
      };
      next();
    });
  });
  const [head, ...body] = answer.split('\r\n\r\n');
  assert.match(head!, /^HTTP\/1\.1 200 OK\r\nX: y\r\n/);
  const text = body
    .join('\r\n\r\n')
    .split('\r\n')
    .filter((_, i) => i % 2 === 1)
    .join('');
  assert.equal(text, 'abc0123456789');
});

test('an answer without a length ends when the agent closes', async () => {
  const answer = await answerOf(saysAndCloses('HTTP/1.0 200 Fine by me\r\nX: y\r\n\r\nall of it'));
  assert.match(answer, /^HTTP\/1\.1 200 Fine by me\r\n[^]*all of it/);
});

test('an agent may answer before the request has ended', async () => {
  const agent = await startRawAgent(saysAndCloses('HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno'));
  await fixture.route('odd', agent);
  const request = `POST / HTTP/1.1\r\nHost: odd.localhost\r\nContent-Length: 1000000\r\n\r\n${'x'.repeat(1000)}`;
  const answer = await fixture.raw(request, (received) => received.endsWith('no'));
  assert.match(answer, /^HTTP\/1\.1 413 Too Large\r\n/);
  await agent.close();
});

test('a visitor of HTTP/1.0 sees that an answer without a length broke off', async () => {
  const agent = await startRawAgent(saysAndCloses('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n'));
  await fixture.route('odd', agent);
  const end = await new Promise<string>((resolve) => {
    const socket = connect(fixture.gateway.port, '127.0.0.1', () => socket.write('GET / HTTP/1.0\r\nHost: odd.localhost\r\n\r\n'));
    socket.on('data', () => undefined);
    socket.on('end', () => resolve('a whole answer'));
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code!));
  });
  assert.equal(end, 'ECONNRESET');
  await agent.close();
});
