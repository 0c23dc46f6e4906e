import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { runChecks } from '../check.ts';
import { bin, ROOT, runProgram } from '../program.ts';
import { type Counts, NONE, readCounts } from './counts.ts';
import { consoleTestFiles, nodeTestFiles, specFiles } from './files.ts';

/** One kind of tests. `reports` is a folder for the runner's report, `env` names the database and the browser. */
export type Stage = { name: string; run: (place: { reports: string; env: NodeJS.ProcessEnv; signal: AbortSignal }) => Promise<Counts> };

/** More than cores: a test waits for nearly half of its time, for time-outs, restarts and leases. The database has connections for four. */
const IN_PARALLEL = availableParallelism() > 1 ? 4 : 3;
const MAX_TEST_MS = 10 * 60_000;

/**
 * In the order in which they run: what fails soonest comes first. Parts of the product that are not there have no stage. With `wanted`, only these
 * test files run, and the checks.
 */
export function stages(wanted?: (file: string) => boolean): Stage[] {
  const all = [checks, nodeTests(nodeTestFiles())];
  if (hasConsoleTests()) all.push(consoleTests([]));
  if (hasBrowserTests()) all.push(browserTests([]));
  return wanted ? someStages(wanted) : all;
}

/** A runner that is given no file would run all of them. */
function someStages(wanted: (file: string) => boolean): Stage[] {
  const found = [checks];
  const kinds: [string[], (files: string[]) => Stage][] = [
    [nodeTestFiles(), nodeTests],
    [consoleTestFiles(), consoleTests],
    [specFiles(), browserTests],
  ];
  for (const [files, stage] of kinds) if (files.some(wanted)) found.push(stage(files.filter(wanted)));
  return found;
}

const checks: Stage = {
  name: 'Check',
  run: async ({ signal }) => {
    const results = await runChecks({ signal });
    const failures = results.filter((one) => !one.passed).map(({ name }) => `${name}: \`npm run check\` tells more`);
    return { ...NONE, passed: results.length - failures.length, failed: failures.length, failures };
  },
};

const nodeTests = (files: string[]): Stage => ({
  name: 'Node tests',
  run: async ({ reports, env, signal }) => {
    const report = join(reports, 'node.json');
    const reporters = ['spec', 'stdout', join(import.meta.dirname, 'count-reporter.ts'), report];
    const options = reporters.map((value, index) => `--test-reporter${index % 2 ? '-destination' : ''}=${value}`);
    const args = ['--test', `--test-concurrency=${IN_PARALLEL}`, `--test-timeout=${MAX_TEST_MS}`, ...options, ...files];
    const { code } = await runProgram(process.execPath, args, { env, signal });
    return readCounts('node', report, code);
  },
});

/** Without files: all of them. */
const consoleTests = (files: string[]): Stage => ({
  name: 'Console tests',
  run: async ({ reports, env, signal }) => {
    const report = join(reports, 'console.json');
    const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...below('apps/console', files)];
    const { code } = await runProgram(bin('vitest'), args, { cwd: join(ROOT, 'apps/console'), env, signal });
    return readCounts('vitest', report, code);
  },
});

/** Without files: all of them. */
const browserTests = (files: string[]): Stage => ({
  name: 'Browser tests',
  run: async ({ reports, env, signal }) => {
    const report = join(reports, 'browser.json');
    const named = { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report };
    const args = ['test', '--reporter=list,json', ...below('e2e', files)];
    const { code } = await runProgram(bin('playwright'), args, { cwd: join(ROOT, 'e2e'), env: named, signal });
    return readCounts('playwright', report, code);
  },
});

/** The files as a runner knows them that runs in `folder`. */
const below = (folder: string, files: string[]) => files.map((file) => relative(folder, file));

function hasConsoleTests(): boolean {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'apps/console/package.json'), 'utf8')) as { scripts?: Record<string, string> };
  return manifest.scripts?.['test'] !== undefined;
}

const hasBrowserTests = () => existsSync(join(ROOT, 'e2e/playwright.config.ts'));
