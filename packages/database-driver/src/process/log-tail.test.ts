import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLogTail } from './log-tail.ts';

test('the cause stands in the end of what a server wrote: times, process numbers and what came long before are left out', () => {
  const redis = [
    '2:C 22 Nov 2026 04:14:45.219 # oO0OoO0OoO0Oo Redis is starting oO0OoO0OoO0Oo',
    '2:C 22 Nov 2026 04:14:45.219 # Configuration loaded',
    '2:M 22 Nov 2026 04:14:45.220 # Server initialized',
    '',
    '2:M 22 Nov 2026 04:14:45.221 # *** FATAL AOF MANIFEST FILE ERROR ***',
    '2:M 22 Nov 2026 04:14:45.221 # Invalid AOF manifest file format',
    '',
  ];
  assert.equal(
    readLogTail(redis.join('\n')),
    'Server initialized; *** FATAL AOF MANIFEST FILE ERROR ***; Invalid AOF manifest file format',
  );
  const postgres = [
    '2026-11-22 04:14:45.220 UTC [17] FATAL:  data directory has invalid permissions',
    'HINT:  Permissions should be u=rwx.',
  ];
  assert.equal(readLogTail(postgres.join('\n')), 'FATAL: data directory has invalid permissions; HINT: Permissions should be u=rwx.');
});

test('it stays short, however much was written: the last line counts most', () => {
  assert.equal(readLogTail(`${'a'.repeat(290)}\n${'b'.repeat(100)}`), 'b'.repeat(100));
  assert.equal(readLogTail('c'.repeat(1000)), 'c'.repeat(300));
  assert.equal(readLogTail('\n \n'), '');
});
