import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLongSize, sized } from '../scripts/test/size.ts';
import { attackArchives } from './archives/run.ts';

test('every hostile archive, upload and name is refused by name or comes out unharmed, and nothing of it is left or escapes', {
  timeout: 900_000, // ends a hang; each attempt has a timeout of its own
}, async () => {
  const seed = Date.now() % 1_000_000;
  const rows = await attackArchives(isLongSize(), seed);
  assert.deepEqual(
    rows.filter((row) => !row.ok),
    [],
    `seed ${seed}`,
  );
  assert.ok(rows.length > sized({ short: 70, long: 90 }), 'all attempts were made');
});
