import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { ROOT } from '../program.ts';
import { add, NONE, readCounts, retold, summary } from './counts.ts';
import { timeReport } from './times.ts';

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

test('a failed test of Node is told once, without the group around it', () => {
  const file = join(folder, 'failing.test.mjs');
  writeFileSync(
    file,
    `import { describe, test } from 'node:test';
     describe('a group', () => { test('holds', () => {}); test('breaks', () => { throw new Error('because of this'); }); });`,
  );
  const reported = join(folder, 'failing.json');
  const reporter = join(import.meta.dirname, 'count-reporter.ts');
  const args = ['--test', `--test-reporter=${reporter}`, `--test-reporter-destination=${reported}`, file];
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status } = spawnSync(process.execPath, args, { env, timeout: 60_000 });
  const { failures, files, ...counts } = readCounts('node', reported, status ?? 1);
  assert.deepEqual(counts, { passed: 1, failed: 1, skipped: 0 });
  assert.deepEqual(
    files.map((one) => [basename(one.file), one.seconds > 0]),
    [['failing.test.mjs', true]],
  );
  assert.equal(failures.length, 1);
  assert.match(failures[0] ?? '', /^breaks \(.*failing\.test\.mjs:2\), after 0 s\nError: because of this/);
});

test('a stage that could not run counts as failed', () => {
  assert.equal(readCounts('node', join(folder, 'missing.json'), 0).failed, 1);
  assert.equal(readCounts('node', report({ ...NONE }), 0).failed, 1, 'no tests at all');
  assert.equal(readCounts('node', report({ ...NONE, passed: 9 }), 1).failed, 1, 'an error beside the tests');
});

test('the time of each stage is told with its share of the cores, and the files that took longest come first', () => {
  const files = Array.from({ length: 25 }, (_, n) => ({ file: `f${n}.test.ts`, seconds: n }));
  const lines = timeReport([{ name: 'Node tests', seconds: 100, cpu_seconds: 50 }], files).split('\n');
  assert.match(lines[0] ?? '', /^Node tests: 100 s, 50 s of CPU \(\d+ % of \d+ cores\)$/);
  assert.deepEqual([lines[2]?.trim(), lines.length], ['24.0 s  f24.test.ts', 22]);
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
