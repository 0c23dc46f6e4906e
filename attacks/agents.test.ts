import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sized } from '../scripts/test/size.ts';
import { attackByAgents } from './agents/run.ts';

test('a hostile agent and a hostile build reach, see and take nothing that is not theirs, and their neighbour answers every visit', {
  timeout: 900_000, // ends a hang; each attempt has a timeout of its own
  skip: process.getuid?.() !== 0 && 'needs networks and control groups of its own, which only root has',
}, async () => {
  const rows = await attackByAgents(sized({ short: { windowMs: 600, long: false }, long: { windowMs: 6_000, long: true } }));
  assert.deepEqual(
    rows.filter((row) => !row.ok),
    [],
  );
  assert.ok(rows.length >= 35, 'all attempts were made');
});
