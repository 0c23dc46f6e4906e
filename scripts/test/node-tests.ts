import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { add, type Counts, NONE, readCounts } from './counts.ts';
import type { Durations } from './durations.ts';
import { type Group, groupFiles } from './file-groups.ts';
import { isSensitiveToLoad } from './files.ts';
import { LONG_SIZE } from './size.ts';
import type { Place, Stage } from './stage.ts';
import type { FileTime } from './times.ts';

const MAX_TEST_MS = 10 * 60_000;
/** A file that hangs holds a slot, not the whole run. */
const MAX_GROUP_MS = 20 * 60_000;
const MAX_OUTPUT_LENGTH = 1_000;

const ORDINARY_SLOTS = 1;
/** Half of the slots: two of these files run at a time. */
const SENSITIVE_SHARE = 1 / 2;

interface NodeTestsPlan {
  durations: Durations;
  isLong?: (file: string) => boolean;
}

/** Short test files of a package share a process, see `group.ts`. Every other file has its own, as with `node --test`. */
export const nodeTests = (files: readonly string[], { durations, isLong = () => false }: NodeTestsPlan): Stage => ({
  name: 'Node tests',
  run: async (place) => {
    const groups = groupFiles(files, { durations, isLong });
    const counts = groups.map((group, index) => {
      const env = group.files.some(isLong) ? { ...place.env, ...LONG_SIZE } : place.env;
      return runGroup(group, join(place.reports, `node-${index}`), { ...place, env });
    });
    const finished = await Promise.all(counts);
    const total = finished.reduce<Counts>((sum, one) => add(sum, one ?? NONE), NONE);
    const missing = groups.flatMap((group, index) => (finished[index] ? [] : group.files)).length;
    if (missing === 0) return total;
    return add(total, { ...NONE, failed: 1, failures: [`${missing} test files of Node did not run: the run was ended before`] });
  },
});

/** Prints the files' output when they have ended, so that parallel groups do not mix. Undefined if the run was aborted before. */
async function runGroup({ files }: Group, report: string, { run, env, print, slots }: Place): Promise<Counts | undefined> {
  const [counted, times] = [`${report}.json`, `${report}-times.json`];
  const reporters = [join(import.meta.dirname, 'file-reporter.ts'), 'stdout', join(import.meta.dirname, 'count-reporter.ts'), counted];
  const options = reporters.map((value, index) => `--test-reporter${index % 2 ? '-destination' : ''}=${value}`);
  const share = isSensitiveToLoad(files[0]) ? Math.ceil(slots * SENSITIVE_SHARE) : ORDINARY_SLOTS;
  const program = files.length > 1 ? [join(import.meta.dirname, 'group.ts'), times, ...files] : files;
  const result = await run(process.execPath, [`--test-timeout=${MAX_TEST_MS}`, ...options, ...program], {
    env,
    slots: share,
    timeoutMs: MAX_GROUP_MS,
  });
  if (!result) return undefined;
  const { code, output, seconds, cpu_seconds } = result;
  const counts = readCounts('node', counted, code);
  const { passed, failed } = counts;
  const name = nameOf(files);
  print(`${failed > 0 ? '✖' : '✔'} ${name} (${seconds.toFixed(1)} s): ${passed} of ${passed + failed} passed\n${output}`);
  const failures = counts.failures.map((failure) => explain(failure, name, output));
  return { ...counts, failures, files: existsSync(times) ? readTimes(times) : [{ file: name, seconds, cpu_seconds }] };
}

const nameOf = (files: Group['files']) => (files.length === 1 ? files[0] : `${files[0]} … ${files.at(-1)}, ${files.length} files`);

const readTimes = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as FileTime[];

/** Adds the file's name to a failure. Files without a report explain it only in their output, so that is added, too. */
const explain = (failure: string, name: string, output: string) =>
  failure.startsWith('the node runner') ? `${name}: ${failure}\n${output.slice(-MAX_OUTPUT_LENGTH)}` : failure;
