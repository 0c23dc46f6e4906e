import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BROKEN, Chunks } from './chunks.ts';

/** The forwarded part of a body that arrives in pieces of that size, and the bytes that the taker received; undefined if it is refused. */
function passed(text: string, pieceBytes: number, options: { keepsFraming?: boolean; maxExtras?: number } = {}) {
  let seen = '';
  const taker = (bytes: Buffer, from: number, to: number) => {
    seen += bytes.toString('latin1', from, to);
  };
  const chunks = new Chunks({ maxExtras: 100, taker, ...options });
  let kept = '';
  for (let at = 0; at < text.length; at += pieceBytes) {
    const piece = Buffer.from(text.slice(at, at + pieceBytes), 'latin1');
    if (chunks.read(piece, 0, piece.length) === BROKEN) return undefined;
    kept += piece.toString('latin1', 0, chunks.kept);
  }
  return { kept, seen, isDone: chunks.isDone };
}

const legal = '3;a;b=c;d="e\\"; f"\r\nabc\r\n00A\r\n0123456789\r\n0;z\r\nX-T: e\r\nContent: f\r\n\r\n';

test('extensions and trailers are taken out of a body, however it is cut, and nothing else', () => {
  for (let pieceBytes = 1; pieceBytes <= legal.length; pieceBytes++) {
    const plain = '3\r\nabc\r\n00A\r\n0123456789\r\n0\r\n\r\n';
    assert.deepEqual(passed(legal, pieceBytes), { kept: plain, seen: 'abc0123456789', isDone: true });
    assert.deepEqual(passed(legal, pieceBytes, { keepsFraming: false }), { kept: 'abc0123456789', seen: 'abc0123456789', isDone: true });
  }
});

test('a trailer that a reader could take for a header of the message is refused, in any spelling', () => {
  for (const name of ['Content-Length', 'TRANSFER-ENCODING', 'connection', 'Proxy-Connection'])
    for (const pieceBytes of [1, 1_000]) assert.equal(passed(`0\r\nA: b\r\n${name}: 1\r\n\r\n`, pieceBytes), undefined, name);
  assert.equal(passed('0\r\nContent-Lengths: 1\r\n\r\n', 1)?.isDone, true);
});

test('a body has so many bytes of extensions and trailers and no more', () => {
  assert.equal(passed(`1;${'a'.repeat(90)}\r\nx\r\n0\r\n\r\n`, 7)?.isDone, true);
  assert.equal(passed(`1;${'a'.repeat(60)}\r\nx\r\n0;${'a'.repeat(60)}\r\n\r\n`, 7), undefined);
});
