import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { limits } from '../limits.ts';
import { answerParser } from './answer-parser.ts';
import { BrokenAnswer } from './broken-answer.ts';

interface Read {
  heads: { status: number; headers: string[] }[];
  body: string;
  ends: boolean[];
  isBroken: boolean;
}

/** Reads the pieces through one buffer that is overwritten after each, as a connection does. */
function read(pieces: Buffer[], closes: boolean, request = { method: 'GET', upgrades: false }): Read {
  const result: Read = { heads: [], body: '', ends: [], isBroken: false };
  const parser = answerParser(request, limits, {
    head: ({ status, headers }) => result.heads.push({ status, headers }),
    body: (piece) => {
      result.body += piece.toString('latin1');
    },
    end: (isReusable) => result.ends.push(isReusable),
  });
  const buffer = Buffer.alloc(Math.max(1, ...pieces.map((piece) => piece.length)));
  try {
    for (const piece of pieces) {
      if (piece.length === 0) continue;
      piece.copy(buffer);
      parser.feed(buffer.subarray(0, piece.length));
      buffer.fill('#');
    }
    if (closes) parser.finish();
  } catch (error) {
    if (!(error instanceof BrokenAnswer)) throw error;
    result.isBroken = true;
  }
  return result;
}

function cut(bytes: Buffer, at: number[]): Buffer[] {
  const points = [...new Set(at.map((point) => point % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...points].map((point, i) => bytes.subarray(point, points[i] ?? bytes.length));
}

const text = fc.string({ unit: fc.constantFrom('a', '\r', '\n', '0', ';', ':', ' ', '\xff'), maxLength: 40 });

test('an answer means the same however it is cut into pieces', () => {
  const chunks = fc.array(
    text.filter((piece) => piece.length > 0),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(chunks, fc.constantFrom('chunked', 'length', 'close'), fc.array(fc.nat(), { maxLength: 12 }), (parts, framing, points) => {
      const body = parts.join('');
      const framed = {
        chunked: `Transfer-Encoding: chunked\r\n\r\n${parts.map((part) => `${part.length.toString(16)};x=y\r\n${part}\r\n`).join('')}0\r\nT: 1\r\n\r\n`,
        length: `Content-Length: ${body.length}\r\n\r\n${body}`,
        close: `\r\n${body}`,
      }[framing];
      const bytes = Buffer.from(`HTTP/1.1 103 Hint\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nX:  spaced \t\r\n${framed}`, 'latin1');
      const result = read(cut(bytes, points), framing === 'close');
      assert.equal(result.isBroken, false);
      assert.equal(result.body, body);
      assert.deepEqual(result.ends, [framing !== 'close']);
      assert.deepEqual(
        result.heads.map((head) => [head.status, ...head.headers.slice(0, 2)]),
        [[200, 'X', 'spaced']],
      );
    }),
    { numRuns: 500 },
  );
});

test('no bytes make it fail in another way than by refusing them, end twice, or go on after the end', () => {
  const good = 'HTTP/1.1 200 OK\r\nContent-Type: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n';
  const pieceOf = fc.oneof(
    text,
    fc.constantFrom('HTTP/1.1 200 OK\r\n', 'Content-Length: 3\r\n', 'Transfer-Encoding: chunked\r\n', '\r\n\r\n', '5\r\n', good),
  );
  const damaged = fc.tuple(fc.nat(good.length - 1), fc.integer({ min: 0, max: 255 })).map(([at, byte]) => {
    const bytes = Buffer.from(good, 'latin1');
    bytes[at] = byte;
    return bytes;
  });
  const any = fc.oneof(
    damaged,
    fc.array(pieceOf, { maxLength: 10 }).map((pieces) => Buffer.from(pieces.join(''), 'latin1')),
  );
  fc.assert(
    fc.property(any, fc.array(fc.nat(), { maxLength: 6 }), fc.boolean(), (bytes, points, closes) => {
      const result = read(cut(bytes, points), closes);
      assert.ok(result.ends.length <= 1 && result.heads.length <= 1);
      for (const head of result.heads) for (const part of head.headers) assert.doesNotMatch(part, /[\r\n\0]/);
      if (closes && !result.isBroken) assert.equal(result.ends.length, 1);
    }),
    { numRuns: 2_000 },
  );
});

test('a hostile head takes no more than linear time', () => {
  const started = process.cpuUsage();
  for (const line of [`X:${' '.repeat(64_000)}\x01`, `X: ${'a '.repeat(32_000)}\x01`, 'x'.repeat(64_000)]) {
    assert.equal(read([Buffer.from(`HTTP/1.1 200 OK\r\n${line}\r\n\r\n`, 'latin1')], false).isBroken, true);
  }
  assert.ok(process.cpuUsage(started).user < 200_000, 'microseconds of CPU');
});

test('HEAD, 204 and 304 end with their head, whatever length they tell', () => {
  const whole = (status: number) => [Buffer.from(`HTTP/1.1 ${status} X\r\nContent-Length: 10\r\n\r\n`)];
  assert.deepEqual(read(whole(200), false, { method: 'HEAD', upgrades: false }).ends, [true]);
  assert.deepEqual(read(whole(204), false).ends, [true]);
  assert.deepEqual(read(whole(304), false).ends, [true]);
  assert.deepEqual(read(whole(200), false).ends, []);
});
