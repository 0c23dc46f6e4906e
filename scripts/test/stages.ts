import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runChecks } from '../check.ts';
import { bin, ROOT, runProgram } from '../program.ts';
import { type Counts, NONE, readCounts } from './counts.ts';

/** One kind of tests. `reports` is a folder for the runner's report, `env` names the database and the browser. */
export type Stage = { name: string; run: (place: { reports: string; env: NodeJS.ProcessEnv; signal: AbortSignal }) => Promise<Counts> };

const NODE_TESTS = [
  'packages/*/{src,test}/**/*.test.ts',
  'apps/{server,gateway,cli}/{src,test}/**/*.test.ts',
  '{scripts,faults,attacks}/**/*.test.ts',
];
/** One more than cores that a laptop has for sure: many tests wait for time-outs, restarts and leases. */
const IN_PARALLEL = 3;
const LONGEST_TEST_MS = 10 * 60_000;

/** In the order in which they run: what fails soonest comes first. Parts of the product that are not there have no stage. */
export function stages(): Stage[] {
  return [checks, nodeTests, ...(hasConsoleTests() ? [consoleTests] : []), ...(hasBrowserTests() ? [browserTests] : [])];
}

const checks: Stage = {
  name: 'Check',
  run: async ({ signal }) => {
    const results = await runChecks(signal);
    const failures = results.filter((one) => !one.passed).map(({ name }) => `${name}: \`npm run check\` tells more`);
    return { ...NONE, passed: results.length - failures.length, failed: failures.length, failures };
  },
};

const nodeTests: Stage = {
  name: 'Node tests',
  run: async ({ reports, env, signal }) => {
    const report = join(reports, 'node.json');
    const reporters = ['spec', 'stdout', join(import.meta.dirname, 'count-reporter.ts'), report];
    const options = reporters.map((value, index) => `--test-reporter${index % 2 ? '-destination' : ''}=${value}`);
    // The architecture is among the checks already.
    const files = globSync(NODE_TESTS, { cwd: ROOT }).filter((file) => !/^scripts\/architecture[./]/.test(file));
    const args = ['--test', `--test-concurrency=${IN_PARALLEL}`, `--test-timeout=${LONGEST_TEST_MS}`, ...options, ...files.sort()];
    const { code } = await runProgram(process.execPath, args, { env, signal });
    return readCounts('node', report, code);
  },
};

const consoleTests: Stage = {
  name: 'Console tests',
  run: async ({ reports, env, signal }) => {
    const report = join(reports, 'console.json');
    const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const { code } = await runProgram(bin('vitest'), args, { cwd: join(ROOT, 'apps/console'), env, signal });
    return readCounts('vitest', report, code);
  },
};

const browserTests: Stage = {
  name: 'Browser tests',
  run: async ({ reports, env, signal }) => {
    const report = join(reports, 'browser.json');
    const named = { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report };
    const { code } = await runProgram(bin('playwright'), ['test', '--reporter=list,json'], { cwd: join(ROOT, 'e2e'), env: named, signal });
    return readCounts('playwright', report, code);
  },
};

function hasConsoleTests(): boolean {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'apps/console/package.json'), 'utf8')) as { scripts?: Record<string, string> };
  return manifest.scripts?.['test'] !== undefined;
}

const hasBrowserTests = () => existsSync(join(ROOT, 'e2e/playwright.config.ts'));
