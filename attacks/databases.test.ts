import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attackDatabases } from './databases/run.ts';

test('a hostile agent reaches no database but its own, by address, name, socket or credentials, and gets nothing more out of that', {
  timeout: 900_000, // ends a hang; each attempt has a timeout of its own
  skip: process.getuid?.() !== 0 && 'needs networks of its own, which only root has',
}, async () => {
  const rows = await attackDatabases();
  assert.deepEqual(
    rows.filter((row) => !row.ok),
    [],
  );
  assert.ok(rows.length >= 15, 'all attempts were made');
});
