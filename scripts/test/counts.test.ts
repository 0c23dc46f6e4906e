import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { add, NONE, readCounts, summary } from './counts.ts';

const folder = mkdtempSync(join(tmpdir(), 'paddock-counts-'));
after(() => rmSync(folder, { recursive: true }));

function report(content: unknown): string {
  const file = join(folder, `${Math.random()}.json`);
  writeFileSync(file, JSON.stringify(content));
  return file;
}

test('the last line has passed and failed always, skipped only when there are any', () => {
  assert.equal(summary({ passed: 3, failed: 0, skipped: 0 }), '3 passed, 0 failed');
  assert.equal(summary(add({ passed: 3, failed: 1, skipped: 0 }, { passed: 2, failed: 0, skipped: 4 })), '5 passed, 1 failed, 4 skipped');
});

test('every runner’s report is counted', () => {
  const vitest = { numPassedTests: 5, numFailedTests: 1, numPendingTests: 2, numTodoTests: 0 };
  assert.deepEqual(readCounts('vitest', report(vitest), 1), { passed: 5, failed: 1, skipped: 2 });
  const playwright = { stats: { expected: 4, flaky: 1, unexpected: 0, skipped: 0 } };
  assert.deepEqual(readCounts('playwright', report(playwright), 0), { passed: 5, failed: 0, skipped: 0 });
});

test('a stage that could not run counts as failed', () => {
  assert.equal(readCounts('node', join(folder, 'missing.json'), 0).failed, 1);
  assert.equal(readCounts('node', report({ ...NONE }), 0).failed, 1, 'no tests at all');
  assert.equal(readCounts('node', report({ ...NONE, passed: 9 }), 1).failed, 1, 'an error beside the tests');
});
