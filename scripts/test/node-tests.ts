import { join } from 'node:path';
import { add, type Counts, NONE, readCounts } from './counts.ts';
import { type Durations, longestFirst } from './durations.ts';
import { isSensitiveToLoad } from './files.ts';
import { LONG_SIZE } from './size.ts';
import type { Place, Stage } from './stage.ts';

const MAX_TEST_MS = 10 * 60_000;
/** A file that never ends holds a slot, not the whole run. */
const MAX_FILE_MS = 20 * 60_000;
const MAX_OUTPUT_LENGTH = 1_000;

const ORDINARY_SLOTS = 1;
/** Two at a time. */
const SENSITIVE_SHARE = 1 / 2;

interface NodeTestsPlan {
  durations: Durations;
  isLong?: (file: string) => boolean;
}

/** Each test file of Node is a process of its own, as with `node --test`, which would sort the files by their names and know of no other stage. */
export const nodeTests = (files: readonly string[], { durations, isLong = () => false }: NodeTestsPlan): Stage => ({
  name: 'Node tests',
  run: async (place) => {
    const counts = inOrder(files, durations).map((file, index) => {
      const env = isLong(file) ? { ...place.env, ...LONG_SIZE } : place.env;
      return runFile(file, join(place.reports, `node-${index}.json`), { ...place, env });
    });
    const finished = (await Promise.all(counts)).filter((one) => one !== undefined);
    const total = finished.reduce(add, NONE);
    const missing = files.length - finished.length;
    if (missing === 0) return total;
    return add(total, { ...NONE, failed: 1, failures: [`${missing} test files of Node did not run: the run was ended before`] });
  },
});

/** The longest first, and at the end those that other work would disturb. */
export function inOrder(files: readonly string[], durations: Durations): string[] {
  const sorted = longestFirst(files, durations);
  return [...sorted.filter((file) => !isSensitiveToLoad(file)), ...sorted.filter(isSensitiveToLoad)];
}

/** Prints what a file reported when it has ended, so that files beside each other do not mix. Undefined if the run was ended before. */
async function runFile(file: string, report: string, { run, env, print, slots }: Place): Promise<Counts | undefined> {
  const reporters = [join(import.meta.dirname, 'file-reporter.ts'), 'stdout', join(import.meta.dirname, 'count-reporter.ts'), report];
  const options = reporters.map((value, index) => `--test-reporter${index % 2 ? '-destination' : ''}=${value}`);
  const share = isSensitiveToLoad(file) ? Math.ceil(slots * SENSITIVE_SHARE) : ORDINARY_SLOTS;
  const args = [`--test-timeout=${MAX_TEST_MS}`, ...options, file];
  const result = await run(process.execPath, args, { env, slots: share, timeoutMs: MAX_FILE_MS });
  if (!result) return undefined;
  const { code, output, seconds, cpu_seconds } = result;
  const counts = readCounts('node', report, code);
  const { passed, failed } = counts;
  print(`${failed > 0 ? '✖' : '✔'} ${file} (${seconds.toFixed(1)} s): ${passed} of ${passed + failed} passed\n${output}`);
  return { ...counts, failures: counts.failures.map((failure) => explain(failure, file, output)), files: [{ file, seconds, cpu_seconds }] };
}

/** A failure of a test names its file. A file that ended without a report says why only in its output. */
const explain = (failure: string, file: string, output: string) =>
  failure.startsWith('the node runner') ? `${file}: ${failure}\n${output.slice(-MAX_OUTPUT_LENGTH)}` : failure;
