import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { type Fixture, startFixture, startRawAgent, until } from '../../test/fixture.ts';

let fixture: Fixture;
let agent: Awaited<ReturnType<typeof startRawAgent>>;
before(async () => {
  fixture = await startFixture();
  agent = await startRawAgent(mirror);
  await fixture.route('mirror', agent);
});
after(async () => {
  await fixture.close();
  await agent.close();
});

const total = 400_000;

/** Bytes that no other visitor has: 8 digits, of which the first four name the visitor. */
function own(visitor: number, round: number): Buffer {
  const words: string[] = [];
  for (let i = 0; i < total / 8; i++) words.push(`${String(visitor * 10 + round).padStart(4, '0')}${String(i % 10_000).padStart(4, '0')}`);
  return Buffer.from(words.join(''));
}

/** Reads one request after the other and echoes each body, in the framing that the path names. */
function mirror(socket: Socket): void {
  let bytes: Buffer = Buffer.alloc(0);
  socket.on('data', (piece: Buffer) => {
    bytes = Buffer.concat([bytes, piece]);
    for (;;) {
      const request = readMessage(bytes);
      if (request === undefined) return;
      bytes = bytes.subarray(request.end);
      socket.write(answerFor(request.head, request.body));
    }
  });
}

function answerFor(head: string, body: Buffer): Buffer {
  if (head.includes('/length')) return message('HTTP/1.1 200 OK\r\n', body, false);
  return message('HTTP/1.1 200 OK\r\n', body, true);
}

/** A message in chunks of odd sizes, each with an extension, and a trailer at the end; or with a length. */
function message(head: string, body: Buffer, isChunked: boolean): Buffer {
  if (!isChunked) return Buffer.concat([Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n`), body]);
  const parts: Buffer[] = [Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n`)];
  for (let at = 0, size = 1; at < body.length; at += size, size = (size * 7 + 3) % 9_001 || 1) {
    const chunk = body.subarray(at, at + size);
    parts.push(Buffer.from(`${chunk.length.toString(16)};a="b c"\r\n`), chunk, Buffer.from('\r\n'));
  }
  parts.push(Buffer.from('0\r\nTrailer: x\r\n\r\n'));
  return Buffer.concat(parts);
}

/** The message at the beginning of the bytes, if it is complete. */
function readMessage(bytes: Buffer): { head: string; body: Buffer; end: number } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = bytes.toString('latin1', 0, headEnd);
  const length = /content-length: (\d+)/i.exec(head)?.[1];
  const from = headEnd + 4;
  if (length !== undefined) {
    const end = from + Number(length);
    return bytes.length < end ? undefined : { head, body: bytes.subarray(from, end), end };
  }
  if (!bytes.subarray(-7).equals(Buffer.from('\r\n0\r\n\r\n'))) return undefined;
  const parts: Buffer[] = [];
  for (let at = from; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (size === 0) return { head, body: Buffer.concat(parts), end: lineEnd + 4 };
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 4 + size;
  }
}

/** Sends three requests on one connection; every third visitor reads slowly, every fifth sends slowly. */
async function visit(visitor: number): Promise<void> {
  const socket = connect({ port: fixture.gateway.port, host: '127.0.0.1', noDelay: true });
  await new Promise((resolve) => socket.once('connect', resolve));
  for (let round = 0; round < 3; round++) {
    const body = own(visitor, round);
    const path = (visitor + round) % 2 === 0 ? '/length' : '/chunks';
    const request = message(`POST ${path} HTTP/1.1\r\nHost: mirror.localhost\r\n`, body, visitor % 4 < 2);
    const answered = readAnswer(socket, visitor % 3 === 0);
    if (visitor % 5 === 0) await sendSlowly(socket, request);
    else socket.write(request);
    const answer = await answered;
    assert.ok(answer.equals(body), `visitor ${visitor} got its own ${total} bytes in round ${round}`);
  }
  socket.destroy();
}

function readAnswer(socket: Socket, isSlow: boolean): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    const take = (piece: Buffer) => {
      pieces.push(piece);
      length += piece.length;
      if (isSlow) {
        socket.pause();
        setTimeout(() => socket.resume(), 5);
      }
      const whole = length >= total ? readMessage(Buffer.concat(pieces)) : undefined;
      if (whole === undefined) return;
      socket.off('data', take);
      socket.off('close', cut);
      resolve(whole.body);
    };
    const cut = () => reject(new Error('the answer was cut'));
    socket.on('data', take);
    socket.once('close', cut);
  });
}

async function sendSlowly(socket: Socket, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; at += 50_001) {
    socket.write(bytes.subarray(at, at + 50_001));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

test('no byte of one visitor reaches another: 40 at once, large bodies both ways, slow and quick', async () => {
  await Promise.all(Array.from({ length: 40 }, (_, visitor) => visit(visitor)));
});

const large = 16_000_000;

/** The bytes that only this visitor sends or receives, as long as the longest piece. */
const patternOf = (visitor: number): Buffer => Buffer.alloc(200_000, `${String(visitor).padStart(7, '0')}.`);

/** Checks each piece of a body as it arrives; resolves to whether all of it was right. */
function follow(socket: Socket, patternFor: (body: Buffer) => Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    let isRight = true;
    let at = -1;
    let head = '';
    let pattern: Buffer;
    socket.on('data', (piece: Buffer) => {
      let body = piece;
      if (at < 0) {
        head += piece.toString('latin1');
        const end = head.indexOf('\r\n\r\n');
        if (end < 0 || head.length < end + 12) return;
        body = Buffer.from(head.slice(end + 4), 'latin1');
        pattern = patternFor(body);
        at = 0;
      }
      const start = at % 8;
      if (!body.equals(pattern.subarray(start, start + body.length))) isRight = false;
      at += body.length;
      if (at >= large) resolve(isRight);
    });
    socket.on('close', () => resolve(false));
    socket.resume();
  });
}

function writeOwn(socket: Socket, head: string, visitor: number): void {
  socket.write(`${head}Content-Length: ${large}\r\n\r\n`);
  socket.write(Buffer.alloc(large, `${String(visitor).padStart(7, '0')}.`));
}

/** Waits until all senders are paused. */
async function allAreHeldBack(senders: Socket[], count: number): Promise<void> {
  const left = () => senders.reduce((sum, socket) => sum + socket.writableLength, 0);
  await until(async () => {
    const before = left();
    await new Promise((resolve) => setTimeout(resolve, 100));
    return senders.length === count && before > 0 && left() === before;
  }, 'the senders are held back');
}

test('what visitors take only late is still theirs, byte by byte', async () => {
  const senders: Socket[] = [];
  const agents = await startRawAgent((socket) =>
    socket.once('data', (piece) => {
      senders.push(socket);
      writeOwn(socket, 'HTTP/1.1 200 OK\r\n', Number(/GET \/(\d+)/.exec(String(piece))![1]));
    }),
  );
  await fixture.route('late', agents);
  const visitors = Array.from({ length: 5 }, (_, visitor) => {
    const socket = connect(fixture.gateway.port, '127.0.0.1');
    socket.pause();
    socket.write(`GET /${visitor} HTTP/1.1\r\nHost: late.localhost\r\n\r\n`);
    return socket;
  });
  await allAreHeldBack(senders, 5);
  const right = await Promise.all(visitors.map((socket, visitor) => follow(socket, () => patternOf(visitor))));
  assert.deepEqual(right, [true, true, true, true, true]);
  for (const socket of visitors) socket.destroy();
  await agents.close();
});

test('what an agent takes only late is still what each visitor sent, byte by byte', async () => {
  const receivers: Socket[] = [];
  const agents = await startRawAgent((socket) => {
    socket.pause();
    receivers.push(socket);
  });
  await fixture.route('deaf', agents);
  const senders = Array.from({ length: 5 }, (_, visitor) => {
    const socket = connect(fixture.gateway.port, '127.0.0.1');
    writeOwn(socket, 'POST / HTTP/1.1\r\nHost: deaf.localhost\r\n', visitor);
    return socket;
  });
  await allAreHeldBack(senders, 5);
  const right = await Promise.all(receivers.map((socket) => follow(socket, (body) => patternOf(Number(body.toString('latin1', 0, 7))))));
  assert.deepEqual(right, [true, true, true, true, true]);
  for (const socket of senders) socket.destroy();
  await agents.close();
});
