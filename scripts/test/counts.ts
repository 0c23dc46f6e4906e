import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from '../program.ts';
import type { FileTime } from './times.ts';

/** `failures`: the name of each failed test with its file and message. `files`: the duration of each file, if the runner reports it. */
export type Counts = { passed: number; failed: number; skipped: number; failures: string[]; files: FileTime[] };

/** The output of the reporter for one Node test file. */
export type NodeReport = Omit<Counts, 'files'>;

export const NONE: Counts = { passed: 0, failed: 0, skipped: 0, failures: [], files: [] };

const MAX_FAILURES = 20;
const MAX_FAILURE_LENGTH = 1500;

export const add = (a: Counts, b: Counts): Counts => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
  failures: [...a.failures, ...b.failures],
  files: [...a.files, ...b.files],
});

/** `12 passed, 0 failed`, and the skipped ones if there are any. */
export const summary = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`;

/** Repeats the failures for a reader of only the end of a long output. */
export function retold({ failures }: Counts): string {
  const told = failures.slice(0, MAX_FAILURES).map((failure) => `✖ ${failure.slice(0, MAX_FAILURE_LENGTH)}`);
  const more = failures.length - told.length;
  return [...told, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n\n');
}

type Vitest = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    message: string;
    startTime?: number;
    endTime?: number;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
};
type Suite = {
  file: string;
  suites?: Suite[];
  specs: { title: string; ok: boolean; tests: { results: { error?: { message?: string }; duration?: number }[] }[] }[];
};
type Playwright = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  suites: Suite[];
  errors: { message?: string }[];
};

const READERS = {
  node: (report: NodeReport) => ({ ...report, files: [] }),
  vitest: (report: Vitest) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: report.testResults.flatMap(({ name, message, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      const tests = failed.map((one) => `${one.fullName} (${name})\n${one.failureMessages.join('\n')}`);
      return tests.length === 0 && message ? [`${name}\n${message}`] : tests;
    }),
    files: report.testResults.map(({ name, startTime = 0, endTime = startTime }) => ({
      file: relative(ROOT, name),
      seconds: (endTime - startTime) / 1000,
    })),
  }),
  playwright: ({ stats, suites, errors }: Playwright) => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
    failures: [...suites.flatMap(failedSpecs), ...errors.map(({ message }) => message ?? 'an error without a message')],
    files: suites.map((suite) => ({ file: join('e2e', suite.file), seconds: millisecondsOf(suite) / 1000 })),
  }),
} satisfies Record<string, (report: never) => Counts>;

const millisecondsOf = ({ suites = [], specs }: Suite): number =>
  specs.flatMap(({ tests }) => tests.flatMap(({ results }) => results)).reduce((sum, { duration = 0 }) => sum + duration, 0) +
  suites.reduce((sum, one) => sum + millisecondsOf(one), 0);

const failedSpecs = ({ file, suites = [], specs }: Suite): string[] => [
  ...specs
    .filter(({ ok }) => !ok)
    .map(({ title, tests }) => {
      const said = tests.flatMap(({ results }) => results.map(({ error }) => error?.message ?? ''));
      return `${title} (${file})\n${said.filter(Boolean).join('\n')}`;
    }),
  ...suites.flatMap(failedSpecs),
];

export type ReportKind = keyof typeof READERS;

/**
 * Reads a runner's report file and checks it against the exit code. A missing report, no tests, or an error outside the tests counts as
 * one failure, so that a stage that could not run never looks green.
 */
export function readCounts(kind: ReportKind, file: string, exitCode: number): Counts {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (text === '') return { ...NONE, failed: 1, failures: [`the ${kind} runner left no report`] };
  const counts = (READERS[kind] as (report: unknown) => Counts)(JSON.parse(text));
  const ran = counts.passed + counts.failed + counts.skipped > 0;
  if (counts.failed > 0 || (exitCode === 0 && ran)) return counts;
  const why = ran ? `the ${kind} runner ended with ${exitCode} although its tests passed` : `the ${kind} runner ran no test`;
  return { ...counts, failed: 1, failures: [...counts.failures, why] };
}
