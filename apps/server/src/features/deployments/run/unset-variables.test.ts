import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AskedVariable } from '@paddock/builder';
import { startFailure } from './messages.ts';

function says(tail: string[], { code = 1, ...more }: { set?: string[]; asked?: AskedVariable[]; code?: number } = {}): string {
  const exit = { code, signal: null, oom: false, disk_full: false, at: '2026-01-01T00:00:00Z' };
  const about = { limits: { memory_mb: 512, disk_mb: 1024 }, budgetSeconds: 120, tail, ...more };
  return startFailure({ kind: 'exited', exit }, about).split('\n\nLast lines:')[0]!;
}

const reads = (...names: string[]): AskedVariable[] =>
  names.map((name, n) => ({ name, required: true, secret: false, at: `main.py:${n + 1}` }));

test('a start that fails for no stated reason names what the archive requires and is not set, with its places', () => {
  const asked = [...reads('APP_ID', 'PUBLIC_KEY'), { name: 'LEVEL', required: false, secret: false, at: 'main.py:9' }];
  const message = says(['Error: You must specify a client public key'], { asked, set: ['APP_ID'] });
  assert.match(message, /It may miss a variable: PUBLIC_KEY \(main\.py:2\) is not set/);
  assert.doesNotMatch(says(['boom'], { asked, set: ['APP_ID', 'PUBLIC_KEY'] }), /variable/);
  assert.match(says([], { asked, code: 0 }), /type: job.*APP_ID \(main\.py:1\), PUBLIC_KEY \(main\.py:2\) are not set/);
});

test('a variable without a value is told where the error speaks of what it is called', () => {
  const asked: AskedVariable[] = [
    { name: 'GEMINI_MODEL', required: false, secret: false, at: 'service.ts:17' },
    { name: 'LOG_LEVEL', required: false, secret: false, at: 'service.ts:18' },
    { name: 'MODEL_URL', required: false, secret: false, at: '.env.example:1', example: 'http://localhost' },
  ];
  const message = says(['Error: [SomeAI Error]: Must provide a model name.'], { asked });
  assert.match(message, /It may miss a variable: GEMINI_MODEL \(service\.ts:17\) is not set/);
  assert.doesNotMatch(says(['Error: the disk is full'], { asked }), /may miss a variable/);
});
