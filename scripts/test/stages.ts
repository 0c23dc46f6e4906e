import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { runChecks } from '../check.ts';
import { bin, ROOT } from '../program.ts';
import { NONE, readCounts } from './counts.ts';
import type { Durations } from './durations.ts';
import { consoleTestFiles, nodeTestFiles, specFiles } from './files.ts';
import { nodeTests } from './node-tests.ts';
import { LONG_SIZE } from './size.ts';
import type { Stage } from './stage.ts';

/** More slots than cores: a test waits for nearly half of its time, for timeouts, restarts and leases. */
export const SLOTS = availableParallelism() > 1 ? 4 : 3;
/** Used while cores are idle. The database has enough connections for all. */
export const EXTRA_SLOTS = 6;

/** A check never waits, and several of them use more than one core. */
const CHECK_SLOTS = 2;
/** A browser page, and the server that compiles for it. */
const CONSOLE_SLOTS = 1;
/** The workers of `e2e/playwright.config.ts`. */
const BROWSER_SLOTS = 2;

/** The tests to run, their order and size. Without `wanted`: all of them. */
export type Plan = { durations: Durations; isLong: (file: string) => boolean; wanted?: ((file: string) => boolean) | undefined };

/**
 * The stages in the order in which they get their slots: first the one that fails soonest, then the long indivisible ones, then the single
 * files. A missing part of the product has no stage. With `wanted`, only these test files and the checks run.
 */
export function stages(plan: Plan): Stage[] {
  const { durations, isLong, wanted } = plan;
  if (wanted) return someStages(plan, wanted);
  const all = [checks];
  if (hasBrowserTests()) all.push(browserTests([], isLong));
  if (hasConsoleTests()) all.push(consoleTests([], isLong));
  return [...all, nodeTests(nodeTestFiles(), { durations, isLong })];
}

/** Skips a runner without files, since it would run all of them. */
function someStages({ durations, isLong }: Plan, wanted: (file: string) => boolean): Stage[] {
  const some = [checks];
  const kinds: [string[], (files: string[]) => Stage][] = [
    [specFiles(), (files) => browserTests(files, isLong)],
    [consoleTestFiles(), (files) => consoleTests(files, isLong)],
    [nodeTestFiles(), (files) => nodeTests(files, { durations, isLong })],
  ];
  for (const [files, stage] of kinds) if (files.some(wanted)) some.push(stage(files.filter(wanted)));
  return some;
}

const checks: Stage = {
  name: 'Check',
  run: async ({ run, signal, print }) => {
    const results = await runChecks({
      signal,
      print,
      run: async ({ program, args, cwd }) => {
        const result = await run(program, args, { ...(cwd && { cwd }), slots: CHECK_SLOTS });
        return result ?? { code: 1, output: 'It did not run: the run was ended before.' };
      },
    });
    const failures = results.filter((one) => !one.passed).map(({ name }) => `${name}: \`npm run check\` tells more`);
    return { ...NONE, passed: results.length - failures.length, failed: failures.length, failures };
  },
};

/** An empty list means all files. */
const consoleTests = (files: string[], isLong: Plan['isLong']): Stage => ({
  name: 'Console tests',
  run: async ({ reports, env, run, print }) => {
    const report = join(reports, 'console.json');
    const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...below('apps/console', files)];
    const result = await run(bin('vitest'), args, {
      cwd: join(ROOT, 'apps/console'),
      env: { ...env, ...sizeOf(files, isLong) },
      slots: CONSOLE_SLOTS,
    });
    if (result) print(result.output);
    return readCounts('vitest', report, result?.code ?? 1);
  },
});

/** An empty list means all files. */
const browserTests = (files: string[], isLong: Plan['isLong']): Stage => ({
  name: 'Browser tests',
  run: async ({ reports, env, run, print }) => {
    const report = join(reports, 'browser.json');
    // The bootstrap has built the product for them. Another build would replace it while the Node tests use it.
    const named = { ...env, ...sizeOf(files, isLong), PLAYWRIGHT_JSON_OUTPUT_FILE: report, PADDOCK_TEST_IS_BUILT: '1' };
    const args = ['test', '--reporter=list,json', `--workers=${BROWSER_SLOTS}`, ...below('e2e', files)];
    const result = await run(bin('playwright'), args, { cwd: join(ROOT, 'e2e'), env: named, slots: BROWSER_SLOTS });
    if (result) print(result.output);
    return readCounts('playwright', report, result?.code ?? 1);
  },
});

/** A runner has one size for all of its files. */
const sizeOf = (files: string[], isLong: Plan['isLong']) => (files.some(isLong) || (files.length === 0 && isLong('')) ? LONG_SIZE : {});

/** The paths for a runner that runs in `folder`. */
const below = (folder: string, files: string[]) => files.map((file) => relative(folder, file));

function hasConsoleTests(): boolean {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'apps/console/package.json'), 'utf8')) as { scripts?: Record<string, string> };
  return manifest.scripts?.['test'] !== undefined;
}

const hasBrowserTests = () => existsSync(join(ROOT, 'e2e/playwright.config.ts'));
