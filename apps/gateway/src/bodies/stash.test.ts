import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Stash } from './stash.ts';

const textOf = ({ bytes, from, to }: Stash) => bytes.toString('latin1', from, to);

test('what is stashed stays as it was, though the buffer that it came in is used again', () => {
  const stash = new Stash();
  const shared = Buffer.alloc(16);
  let expected = '';
  for (let i = 0; i < 300; i++) {
    const piece = String(i);
    shared.write(piece, 3, 'latin1');
    stash.add(shared, 3, 3 + piece.length);
    expected += piece;
    shared.fill('#');
  }
  assert.equal(textOf(stash), expected);
  assert.equal(stash.length, expected.length);
});

test('what was dealt with leaves, and the rest stays in order', () => {
  const stash = new Stash();
  let expected = '';
  for (let i = 0; i < 2_000; i++) {
    const piece = `${i},`.repeat(i % 50);
    stash.add(Buffer.from(piece), 0, piece.length);
    expected += piece;
    const dropped = Math.min(expected.length, (i * 7) % 120);
    stash.dropTo(stash.from + dropped);
    expected = expected.slice(dropped);
    assert.equal(textOf(stash), expected);
  }
  assert.ok(stash.bytes.length < 8 * Math.max(1_024, expected.length), 'room that is free again is used again');
});

test('an empty stash holds no memory', () => {
  const stash = new Stash();
  stash.add(Buffer.alloc(100_000), 0, 100_000);
  stash.dropTo(stash.to);
  assert.deepEqual([stash.bytes.length, stash.from, stash.to], [0, 0, 0]);
  stash.add(Buffer.alloc(100_000), 10, 20);
  assert.equal(stash.length, 10);
  stash.clear();
  assert.deepEqual([stash.bytes.length, stash.length], [0, 0]);
});

test('many small pieces cost few copies of what is there already', () => {
  const stash = new Stash();
  const rooms = new Set<Buffer>();
  const byte = Buffer.from('a');
  for (let i = 0; i < 64 * 1024; i++) {
    stash.add(byte, 0, 1);
    rooms.add(stash.bytes);
  }
  assert.ok(rooms.size < 12, `${rooms.size} buffers`);
});
