// `npm run check`: everything about the code that can be checked without running the product.
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { inputsOf } from './check/inputs.ts';
import { rememberedPasses } from './check/passes.ts';
import { bin, type Outcome, ROOT, runProgram, untilInterrupted } from './program.ts';

export type Check = { name: string; program: string; args: string[]; cwd?: string };
export type CheckResult = { name: string; passed: boolean };

/** Runs the program of a check. If the check had to wait for others, the returned time is without the wait. */
export type RunCheck = (check: Check) => Promise<Outcome & { seconds?: number }>;

/**
 * `inputs` is a hash of the files that the checks read; `file` stores the passes. A custom `run` limits the concurrency itself. `print` gets
 * the outcome of each check as it ends.
 */
export type CheckOptions = {
  signal: AbortSignal;
  checks?: Check[];
  inputs?: () => string;
  file?: string;
  run?: RunCheck;
  print?: (text: string) => void;
};

const IN_PARALLEL = 2;
const MAX_OUTPUT_LINES = 100;
const CACHE = join(ROOT, 'node_modules/.cache/paddock');

/** The patterns come first: they take longest, on one core. */
const CHECKS: Check[] = [
  { name: 'patterns', program: process.execPath, args: ['scripts/patterns.ts'] },
  { name: 'lint', program: bin('oxlint'), args: ['--type-aware'] },
  { name: 'types of server, gateway and packages', program: bin('tsc'), args: ['-p', '.', ...incremental('server')] },
  { name: 'types of the console', program: bin('tsc'), args: ['-p', 'apps/console', '--noEmit', ...incremental('console')] },
  { name: 'types of the browser tests', program: bin('tsc'), args: ['-p', 'e2e', ...incremental('e2e')] },
  { name: 'dependencies', program: bin('knip'), args: ['--dependencies', '--no-config-hints', '--no-progress'] },
  { name: 'format', program: bin('biome'), args: ['ci', '--colors=off', '--max-diagnostics=20', '.'] },
  {
    name: 'architecture',
    program: process.execPath,
    args: ['--test', '--test-reporter=dot', 'scripts/architecture.test.ts', 'scripts/architecture/*.test.ts'],
  },
];
const BUDGET: Check = { name: "the console's size", program: process.execPath, args: ['budget.mjs'], cwd: join(ROOT, 'apps/console') };

/** The compiler checks only what a change can affect; its state of the last run is stored beside the other caches. */
function incremental(name: string): string[] {
  return ['--incremental', '--tsBuildInfoFile', join(CACHE, `types-${name}.tsbuildinfo`)];
}

/**
 * Runs all checks, two at a time, and prints each as it ends, with its output if it failed. A check that has passed with the same files and
 * tools does not run again.
 */
export async function runChecks(options: CheckOptions): Promise<CheckResult[]> {
  const { signal, checks = allChecks(), inputs = () => inputsOf(ROOT), file = join(CACHE, 'checks.json'), print = console.log } = options;
  const run: RunCheck =
    options.run ?? (({ program, args, cwd }) => runProgram(program, args, { ...(cwd && { cwd }), captured: true, signal }));
  const atOnce = options.run ? checks.length : IN_PARALLEL;
  const passes = rememberedPasses(file, inputs);
  const waiting = [...checks];
  const results: CheckResult[] = [];
  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const { name, program, args } = check;
      const isKnown = passes.hasPassed(name, [program, ...args]);
      if (isKnown) print(`✔ ${name} (nothing changed since it passed)`);
      const passed = isKnown || (await runCheck(check, run, print));
      if (passed) passes.pass(name, [program, ...args]);
      results.push({ name, passed });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  passes.save();
  return results;
}

function allChecks(): Check[] {
  const isBuilt = existsSync(join(ROOT, 'apps/console/dist')) && existsSync(join(ROOT, 'apps/console/budget.mjs'));
  return isBuilt ? [...CHECKS, BUDGET] : CHECKS;
}

async function runCheck(check: Check, run: RunCheck, print: (text: string) => void): Promise<boolean> {
  const { name, program, args } = check;
  const startedAt = performance.now();
  const { code, output, seconds = (performance.now() - startedAt) / 1000 } = await run(check);
  const passed = code === 0;
  print(`${passed ? '✔' : '✖'} ${name} (${seconds.toFixed(1)} s)`);
  if (!passed) print(`${shortened(output, [basename(program), ...args].join(' '))}\n`);
  return passed;
}

/** A broken rule can print hundreds of lines and hide the other checks' results. */
function shortened(output: string, command: string): string {
  const lines = output.trimEnd().split('\n');
  const more = lines.length - MAX_OUTPUT_LINES;
  return more <= 0 ? lines.join('\n') : [...lines.slice(0, MAX_OUTPUT_LINES), `… ${more} more lines: npx ${command}`].join('\n');
}

if (import.meta.main) {
  const results = await runChecks({ signal: untilInterrupted() });
  process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;
}
