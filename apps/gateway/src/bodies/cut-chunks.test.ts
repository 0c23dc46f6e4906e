import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BROKEN, Chunks } from './chunks.ts';

interface Read {
  /** Bytes that are forwarded. */
  passed: string;
  /** Bytes that a tap receives. */
  seen: string;
  data: number;
  /** How many bytes belong to the body, or BROKEN. */
  used: number;
  isDone: boolean;
}

/** Reads a body that arrives in pieces, each in the middle of a buffer that is reused. */
function readPieces(pieces: string[], options: { maxExtras?: number; keepsFraming?: boolean } = {}): Read {
  const result: Read = { passed: '', seen: '', data: 0, used: 0, isDone: false };
  const taker = (bytes: Buffer, from: number, to: number) => void (result.seen += bytes.toString('latin1', from, to));
  const chunks = new Chunks({ maxExtras: 1_000, taker, ...options });
  const shared = Buffer.alloc(10_000);
  for (const piece of pieces) {
    shared.fill('#');
    const to = 7 + shared.write(piece, 7, 'latin1');
    const used = chunks.read(shared, 7, to);
    if (used === BROKEN) return { ...result, used };
    assert.equal(shared.toString('latin1', 0, 7), '#######', 'what stands before the piece is not touched');
    assert.equal(shared.toString('latin1', 7 + used, to), piece.slice(used), 'what follows the body is not touched');
    result.passed += shared.toString('latin1', 7, 7 + chunks.kept);
    result.data += chunks.data;
    result.used += used;
    if (chunks.isDone) break;
  }
  return { ...result, isDone: chunks.isDone };
}

/** The whole text, cut in two at each position, and byte by byte. */
function* cuts(text: string): Generator<string[]> {
  for (let at = 0; at <= text.length; at++) yield [text.slice(0, at), text.slice(at)];
  yield text.split('');
}

const bodies: [name: string, body: string, passed: string, own: string][] = [
  [
    'plain chunks',
    '5\r\nhello\r\n1\r\n \r\n0005\r\nworld\r\n0\r\n\r\n',
    '5\r\nhello\r\n1\r\n \r\n0005\r\nworld\r\n0\r\n\r\n',
    'hello world',
  ],
  ['no data', '0\r\n\r\n', '0\r\n\r\n', ''],
  [
    'sizes in either case',
    'a\r\n0123456789\r\nA\r\n0123456789\r\n0\r\n\r\n',
    'a\r\n0123456789\r\nA\r\n0123456789\r\n0\r\n\r\n',
    '01234567890123456789',
  ],
  ['data that looks like framing', '7\r\n0\r\n\r\n5\r\r\n0\r\n\r\n', '7\r\n0\r\n\r\n5\r\r\n0\r\n\r\n', '0\r\n\r\n5\r'],
  ['extensions', '3;a\r\nabc\r\n3;a=b;c="d"\r\ndef\r\n0;last\r\n\r\n', '3\r\nabc\r\n3\r\ndef\r\n0\r\n\r\n', 'abcdef'],
  ['quoted text', '3;a="x;y=\\"z\\\\ 5";b\r\nabc\r\n0\r\n\r\n', '3\r\nabc\r\n0\r\n\r\n', 'abc'],
  ['trailers', '3\r\nabc\r\n0\r\nExpires: never\r\nX:\r\n\r\n', '3\r\nabc\r\n0\r\n\r\n', 'abc'],
  ['extensions and trailers', '1;e=f\r\na\r\n2;g="h"\r\nbc\r\n0;i\r\nJ: k\r\n\r\n', '1\r\na\r\n2\r\nbc\r\n0\r\n\r\n', 'abc'],
];

for (const [name, body, passed, own] of bodies) {
  test(`a chunked body reaches the other side the same wherever its reads are cut: ${name}`, () => {
    for (const pieces of cuts(body)) {
      const expected = { passed, seen: own, data: own.length, used: body.length, isDone: true };
      assert.deepEqual(readPieces(pieces), expected, JSON.stringify(pieces));
      assert.deepEqual(readPieces(pieces, { keepsFraming: false }), { ...expected, passed: own }, JSON.stringify(pieces));
    }
  });
}

test('a body ends where its last chunk ends, and what follows is left alone', () => {
  const body = '1;x\r\na\r\n0\r\nT: u\r\n\r\n';
  for (const pieces of cuts(`${body}GET / HTTP/1.1\r\n`)) {
    const { passed, used, isDone } = readPieces(pieces);
    assert.deepEqual({ passed, used, isDone }, { passed: '1\r\na\r\n0\r\n\r\n', used: body.length, isDone: true });
  }
});

const broken: [name: string, body: string][] = [
  ['no size', '\r\n'],
  ['no size before an extension', ';a\r\n'],
  ['a size that is not hexadecimal', 'g\r\n'],
  ['a size with a prefix', '0x1\r\na\r\n'],
  ['a negative size', '-1\r\n'],
  ['a sign before a size', '+1\r\na\r\n'],
  ['a size of more digits than anybody needs', '0000000000001\r\na\r\n'],
  ['a blank before a size', ' 1\r\na\r\n'],
  ['a blank behind a size', '1 \r\na\r\n'],
  ['a bare line feed behind a size', '1\na\r\n'],
  ['a bare carriage return behind a size', '1\ra\r\n'],
  ['more data than the size says', '1\r\nab\r\n'],
  ['a bare line feed behind the data', '1\r\na\n0\r\n\r\n'],
  ['a bare carriage return behind the data', '1\r\na\r0\r\n\r\n'],
  ['an extension without a name', '1;\r\na\r\n'],
  ['an extension without a value', '1;a=\r\na\r\n'],
  ['a blank before an extension', '1 ;a\r\na\r\n'],
  ['a blank within an extension', '1; a\r\na\r\n'],
  ['a bare line feed within an extension', '1;a\nb\r\na\r\n'],
  ['a carriage return within quoted text', '1;a="\r\n"\r\na\r\n'],
  ['a line feed behind a backslash', '1;a="\\\n"\r\na\r\n'],
  ['a quote within a token', '1;a=b"c"\r\na\r\n'],
  ['text behind quoted text', '1;a="b"c\r\na\r\n'],
  ['a control character within quoted text', '1;a="\0"\r\na\r\n'],
  ['a trailer without a name', '0\r\n: a\r\n\r\n'],
  ['a trailer without a colon', '0\r\nabc\r\n\r\n'],
  ['a blank before the colon of a trailer', '0\r\nA : b\r\n\r\n'],
  ['a folded trailer', '0\r\nA: b\r\n c\r\n\r\n'],
  ['a bare line feed in a trailer', '0\r\nA: b\nC: d\r\n\r\n'],
  ['a bare carriage return in a trailer', '0\r\nA: b\rC: d\r\n\r\n'],
  ['a bare line feed at the end', '0\r\n\n'],
  ['a carriage return without its line feed at the end', '0\r\n\ra'],
];
for (const [name, body] of broken) {
  test(`chunks that two servers could read differently are refused wherever the reads are cut: ${name}`, () => {
    for (const pieces of cuts(body)) assert.equal(readPieces(pieces).used, BROKEN, JSON.stringify(pieces));
  });
}

test('a body has so many bytes of extensions and trailers, all together, and no more', () => {
  // In an extension, bytes after the semicolon count; the last carriage return counts as the beginning of a trailer.
  const body = `${'1;abc\r\nx\r\n'.repeat(4)}0\r\nA:bc\r\n\r\n`;
  assert.equal(readPieces([body], { maxExtras: 4 * 4 + 7 }).isDone, true);
  for (const pieces of cuts(body)) assert.equal(readPieces(pieces, { maxExtras: 4 * 4 + 6 }).used, BROKEN);
});
