import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../../scripts/program.ts';
import type { PlantedBug } from './bug.ts';

const maxTestMs = 90_000;
/** Time for the setup and teardown of a test file. */
const aroundTestsMs = 150_000;

export interface Outcome {
  name: string;
  passed: boolean;
}
interface Tried {
  outcomes: Outcome[];
  /** The output of the run, for when it did not end as expected. */
  output: string;
  /** The reason why nothing could be tried. */
  problem?: string;
}

/** `copy` is the folder of a copy of the product. */
export type Place = { copy: string; env: NodeJS.ProcessEnv; signal: AbortSignal };

/** Number of times that `part` occurs in the text. */
export const occurrences = (text: string, part: string) => text.split(part).length - 1;

/** Runs the matching tests of one file of the copy and returns the outcome of each. */
export async function runTests({ copy, env, signal }: Place, file: string, tests: string[]): Promise<Tried> {
  const report = join(copy, 'outcomes.jsonl');
  rmSync(report, { force: true });
  const reporters = [
    ['--test-reporter=spec', '--test-reporter-destination=stdout'],
    [`--test-reporter=${join(import.meta.dirname, 'outcome-reporter.ts')}`, `--test-reporter-destination=${report}`],
  ].flat();
  const patterns = tests.map((test) => `--test-name-pattern=${pattern(test)}`);
  const args = ['--test', `--test-timeout=${maxTestMs}`, ...reporters, ...patterns, file];
  const { output } = await runProgram(process.execPath, args, {
    cwd: copy,
    env,
    captured: true,
    // A bug may make a test loop for ever, and on a timeout node kills only its runner.
    ownGroup: true,
    signal: AbortSignal.any([signal, AbortSignal.timeout(aroundTestsMs + tests.length * maxTestMs)]),
  });
  const lines = existsSync(report) ? readFileSync(report, 'utf8').split('\n').filter(Boolean) : [];
  return { outcomes: lines.map((line) => JSON.parse(line) as Outcome), output };
}

/** Makes the change in the copy, runs the test, and restores the file. */
export async function plant(place: Place, { file, from, to, caught_by }: PlantedBug): Promise<Tried> {
  const path = join(place.copy, file);
  const whole = readFileSync(path, 'utf8');
  const count = occurrences(whole, from);
  if (count !== 1) return { outcomes: [], output: '', problem: `its line stands ${count} times in ${file}: ${from}` };
  writeFileSync(
    path,
    whole.replace(from, () => to),
  );
  try {
    return await runTests(place, caught_by.file, [caught_by.test]);
  } finally {
    writeFileSync(path, whole);
  }
}

/** A pattern for `--test-name-pattern`, which is a regular expression. A name within a suite is matched with the suite's name before it. */
const pattern = (test: string) => test.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
