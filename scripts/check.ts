// `npm run check`: everything about the code that can be told without running the product.
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { bin, ROOT, runProgram, untilInterrupted } from './program.ts';

type Check = { name: string; program: string; args: string[]; cwd?: string };
export type CheckResult = { name: string; passed: boolean };

const IN_PARALLEL = 2;
const LONGEST_OUTPUT_LINES = 100;

const CHECKS: Check[] = [
  { name: 'types of server, gateway and packages', program: bin('tsc'), args: ['-p', '.'] },
  { name: 'types of the console', program: bin('tsc'), args: ['-p', 'apps/console', '--noEmit'] },
  { name: 'types of the browser tests', program: bin('tsc'), args: ['-p', 'e2e'] },
  { name: 'lint', program: bin('oxlint'), args: ['--type-aware'] },
  { name: 'format', program: bin('biome'), args: ['ci', '--colors=off', '--max-diagnostics=20', '.'] },
  { name: 'patterns', program: process.execPath, args: ['scripts/patterns.ts'] },
  { name: 'dependencies', program: bin('knip'), args: ['--dependencies', '--no-config-hints', '--no-progress'] },
  {
    name: 'architecture',
    program: process.execPath,
    args: ['--test', '--test-reporter=dot', 'scripts/architecture.test.ts', 'scripts/architecture/*.test.ts'],
  },
];
const BUDGET: Check = { name: "the console's size", program: process.execPath, args: ['budget.mjs'], cwd: join(ROOT, 'apps/console') };

/** Runs all checks, two at a time, and prints each as it ends, with its output if it failed. */
export async function runChecks(signal: AbortSignal): Promise<CheckResult[]> {
  const built = existsSync(join(ROOT, 'apps/console/dist')) && existsSync(join(ROOT, 'apps/console/budget.mjs'));
  const waiting = built ? [...CHECKS, BUDGET] : [...CHECKS];
  const results: CheckResult[] = [];
  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) results.push(await runCheck(check, signal));
  };
  await Promise.all(Array.from({ length: IN_PARALLEL }, work));
  return results;
}

async function runCheck({ name, program, args, cwd }: Check, signal: AbortSignal): Promise<CheckResult> {
  const startedAt = performance.now();
  const { code, output } = await runProgram(program, args, { ...(cwd && { cwd }), captured: true, signal });
  const passed = code === 0;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${passed ? '✔' : '✖'} ${name} (${seconds} s)`);
  if (!passed) console.log(`${shortened(output, [basename(program), ...args].join(' '))}\n`);
  return { name, passed };
}

/** One broken rule can fill hundreds of lines and hide the other checks' results. */
function shortened(output: string, command: string): string {
  const lines = output.trimEnd().split('\n');
  const more = lines.length - LONGEST_OUTPUT_LINES;
  return more <= 0 ? lines.join('\n') : [...lines.slice(0, LONGEST_OUTPUT_LINES), `… ${more} more lines: npx ${command}`].join('\n');
}

if (import.meta.main) {
  const results = await runChecks(untilInterrupted());
  process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;
}
