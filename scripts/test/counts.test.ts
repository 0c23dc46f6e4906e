import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ROOT } from '../program.ts';
import { add, NONE, readCounts, retold, summary } from './counts.ts';

const folder = mkdtempSync(join(tmpdir(), 'paddock-counts-'));
after(() => rmSync(folder, { recursive: true }));

function report(content: unknown): string {
  const file = join(folder, `${Math.random()}.json`);
  writeFileSync(file, JSON.stringify(content));
  return file;
}

test('the last line has passed and failed always, skipped only when there are any', () => {
  assert.equal(summary({ ...NONE, passed: 3 }), '3 passed, 0 failed');
  const both = add({ ...NONE, passed: 3, failed: 1 }, { ...NONE, passed: 2, skipped: 4 });
  assert.equal(summary(both), '5 passed, 1 failed, 4 skipped');
});

test('every runner’s report is counted', () => {
  const vitest = { numPassedTests: 5, numFailedTests: 1, numPendingTests: 2, numTodoTests: 0, testResults: [] };
  assert.deepEqual(readCounts('vitest', report(vitest), 1), { ...NONE, passed: 5, failed: 1, skipped: 2 });
  const playwright = { stats: { expected: 4, flaky: 1, unexpected: 0, skipped: 0 }, suites: [], errors: [] };
  assert.deepEqual(readCounts('playwright', report(playwright), 0), { ...NONE, passed: 5 });
});

test('what failed is told again at the end, with its file and what it said', () => {
  const results = [{ fullName: 'a dialog closes', status: 'failed', failureMessages: ['still open'] }];
  const broken = { name: 'b.test.tsx', message: 'no such module', assertionResults: [] };
  const vitest = { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0, numTodoTests: 0 };
  const files = [{ name: 'a.test.tsx', message: '', assertionResults: results }, broken];
  const inConsole = readCounts('vitest', report({ ...vitest, testResults: files }), 1);
  assert.deepEqual(inConsole.failures, ['a dialog closes (a.test.tsx)\nstill open', 'b.test.tsx\nno such module']);

  const spec = { title: 'a stranger signs up', ok: false, tests: [{ results: [{ error: { message: 'no button' } }] }] };
  const suite = { file: 'c.spec.ts', specs: [], suites: [{ file: 'c.spec.ts', specs: [spec] }] };
  const stats = { expected: 0, flaky: 0, unexpected: 1, skipped: 0 };
  const inBrowser = readCounts('playwright', report({ stats, suites: [suite], errors: [] }), 1);
  assert.deepEqual(inBrowser.failures, ['a stranger signs up (c.spec.ts)\nno button']);

  assert.match(retold(add(inConsole, inBrowser)), /^✖ a dialog closes[^]*\n\n✖ a stranger signs up/);
  const many = retold({ ...NONE, failures: Array.from({ length: 25 }, () => 'x'.repeat(5000)) });
  assert.match(many, /… and 5 more$/);
  assert.ok(many.length < 32_000);
});

test('a stage that could not run counts as failed', () => {
  assert.equal(readCounts('node', join(folder, 'missing.json'), 0).failed, 1);
  assert.equal(readCounts('node', report({ ...NONE }), 0).failed, 1, 'no tests at all');
  assert.equal(readCounts('node', report({ ...NONE, passed: 9 }), 1).failed, 1, 'an error beside the tests');
});

test('the times of files are read from every runner’s report', () => {
  const inConsole = { name: join(ROOT, 'apps/console/a.test.tsx'), message: '', assertionResults: [], startTime: 1_000, endTime: 3_500 };
  const vitest = { numPassedTests: 1, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [inConsole] };
  assert.deepEqual(readCounts('vitest', report(vitest), 0).files, [{ file: 'apps/console/a.test.tsx', seconds: 2.5 }]);
  const spec = (duration: number) => ({ title: 'a', ok: true, tests: [{ results: [{ duration }] }] });
  const suite = { file: 'demo/a.spec.ts', specs: [spec(500)], suites: [{ file: 'demo/a.spec.ts', specs: [spec(1_000)] }] };
  const stats = { expected: 2, flaky: 0, unexpected: 0, skipped: 0 };
  assert.deepEqual(readCounts('playwright', report({ stats, suites: [suite], errors: [] }), 0).files, [
    { file: 'e2e/demo/a.spec.ts', seconds: 1.5 },
  ]);
});
