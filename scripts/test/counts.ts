import { existsSync, readFileSync } from 'node:fs';

export type Counts = { passed: number; failed: number; skipped: number };

export const NONE: Counts = { passed: 0, failed: 0, skipped: 0 };

export const add = (a: Counts, b: Counts): Counts => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
});

/** `12 passed, 0 failed`, with the skipped ones only when there are any. */
export const summary = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`;

type Vitest = { numPassedTests: number; numFailedTests: number; numPendingTests: number; numTodoTests: number };
type Playwright = { stats: { expected: number; unexpected: number; flaky: number; skipped: number }; errors: unknown[] };

const READERS = {
  node: (report: Counts) => report,
  vitest: (report: Vitest) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  }),
  playwright: ({ stats }: Playwright) => ({ passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped }),
} satisfies Record<string, (report: never) => Counts>;

export type ReportKind = keyof typeof READERS;

/**
 * What a runner's report file says, checked against how the runner ended: no report, no tests, or
 * an error beside the tests counts as one failed, so that a stage that could not run never looks green.
 */
export function readCounts(kind: ReportKind, file: string, exitCode: number): Counts {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (text === '') return { ...NONE, failed: 1 };
  const counts = (READERS[kind] as (report: unknown) => Counts)(JSON.parse(text));
  const ran = counts.passed + counts.failed + counts.skipped > 0;
  return counts.failed === 0 && (exitCode !== 0 || !ran) ? { ...counts, failed: 1 } : counts;
}
