import assert from 'node:assert/strict';
import { test } from 'node:test';
import { untilNobodyWaits } from './hand-over.ts';

test('a socket is not closed in a turn that took a connection, nor in a long one', async () => {
  const turns = ['quiet', 'connection', 'long', 'connection', 'quiet'] as const;
  const seen: string[] = [];
  let accepted = 0;
  const next = () => {
    const turn = turns[seen.length] ?? 'quiet';
    seen.push(turn);
    if (turn === 'connection') accepted += 1;
    if (turn === 'long') for (const end = performance.now() + 5; performance.now() < end; );
    if (seen.length < turns.length) setImmediate(next);
  };
  setImmediate(next);
  await untilNobodyWaits(() => accepted);
  assert.ok(seen.length >= turns.length, `closed after ${seen}`);
});

test('a socket whose connections never cease is closed after a second all the same', async () => {
  let accepted = 0;
  const start = performance.now();
  await untilNobodyWaits(() => accepted++);
  assert.ok(performance.now() - start > 900);
});
