import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { type Fixture, startFixture, startRawAgent } from '../../test/fixture.ts';

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

/** Bytes that nobody else has: 8 digits, of which the first four name the visitor. */
function own(visitor: number, round: number): Buffer {
  const words: string[] = [];
  for (let i = 0; i < total / 8; i++) words.push(`${String(visitor * 10 + round).padStart(4, '0')}${String(i % 10_000).padStart(4, '0')}`);
  return Buffer.from(words.join(''));
}

/** Reads one request after the other and sends each body back, in the framing that the path names. */
function mirror(socket: Socket): void {
  let bytes = Buffer.alloc(0);
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

/** In chunks of odd sizes, each with an extension, and a trailer at the end; or with its length. */
function message(head: string, body: Buffer, isChunked: boolean): Buffer {
  if (!isChunked) return Buffer.concat([Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n`), body]);
  const parts = [Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n`)];
  for (let at = 0, size = 1; at < body.length; at += size, size = (size * 7 + 3) % 9_001 || 1) {
    const chunk = body.subarray(at, at + size);
    parts.push(Buffer.from(`${chunk.length.toString(16)};a="b c"\r\n`), chunk, Buffer.from('\r\n'));
  }
  parts.push(Buffer.from('0\r\nTrailer: x\r\n\r\n'));
  return Buffer.concat(parts);
}

/** The message at the beginning of the bytes, if it is whole. */
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

/** Asks three times on one connection; every third visitor reads slowly, every fifth sends slowly. */
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
