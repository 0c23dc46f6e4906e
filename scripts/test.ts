// `npm test`: every check and every test of Paddock, in parallel, with a total at the end.
// `npm test -- --since REF`: the checks, and the tests that the changes since a commit can reach.
// `npm run test:long`: all of them in their long size.
// `npm test -- --record`: all of them; renews the committed list of durations if all passed.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { untilInterrupted } from './program.ts';
import { overBudget, readBudgets, recordBudgets } from './test/budgets.ts';
import { add, NONE, retold, summary } from './test/counts.ts';
import { startTestDatabase } from './test/database.ts';
import { listTimes, readDurations, recordDurations, rememberDurations } from './test/durations.ts';
import { idleShare, readCores } from './test/idle-cores.ts';
import { endLeftovers, markOf } from './test/leftovers.ts';
import { runStages } from './test/run-stages.ts';
import { UndecidedError } from './test/since/changes.ts';
import { type Selection, selectTests } from './test/since/selection.ts';
import { LONG_SIZE } from './test/size.ts';
import { EXTRA_SLOTS, SLOTS, stages } from './test/stages.ts';
import { type RunTime, type StageTime, timeReport } from './test/times.ts';

const MAX_RUN_MS = 90 * 60_000;

const { selection, isRecorded, isLong } = readArguments();
if (selection) console.log(selection.before);
if (isLong) Object.assign(process.env, LONG_SIZE);
const interrupted = untilInterrupted();
const run = randomUUID();
const folder = mkdtempSync(join(tmpdir(), 'paddock-test-'));
const begun = performance.now();
const coresBefore = readCores();
let total = NONE;
let times: StageTime[] = [];
try {
  const database = await startTestDatabase(interrupted);
  try {
    const signal = AbortSignal.any([interrupted, AbortSignal.timeout(MAX_RUN_MS)]);
    const all = stages({ durations: readDurations(), isLong: selection?.isLong ?? (() => isLong), wanted: selection?.wanted });
    const env = { ...process.env, ...database.env, ...markOf(run), PADDOCK_TEST_TOOLS: join(folder, 'tools') };
    const results = await runStages(all, { reports: folder, env, signal, slots: SLOTS, extraSlots: EXTRA_SLOTS });
    total = results.map(({ counts }) => counts).reduce(add, NONE);
    times = results.map(({ time }) => time);
  } finally {
    const left = await endLeftovers(run);
    if (left.length > 0) console.log(`\nEnded what was left of the tests:\n${left.join('\n')}`);
    await database.stop();
  }
} catch (error) {
  console.error(error);
  total = add(total, { ...NONE, failed: 1, failures: [String(error)] });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = exitCode();
if (!interrupted.aborted && !isLong) rememberDurations(total.files);
if (!selection) listTimes(total.files);
if (total.failures.length > 0) console.log(`\n── What failed\n\n${retold(total)}`);
if (times.length > 0) console.log(`\n── Where the time went\n\n${timeReport(runTime(), times, total.files)}`);
const over = selection || isLong ? '' : overBudget(readBudgets(), times, total.files);
if (over) console.log(`\n── Over budget\n\n${over}`);
if (selection) console.log(`\n${selection.after}`);
if (isRecorded) console.log(`\n${record()}`);
console.log(`\n${summary(total)}`);

/** Exits if the arguments are invalid or the tests cannot be determined: without tests nothing may look passed. */
function readArguments(): { selection: Selection | undefined; isRecorded: boolean; isLong: boolean } {
  try {
    const flag = { type: 'boolean', default: false } as const;
    const { since, record, long } = parseArgs({ options: { since: { type: 'string' }, record: flag, long: flag } }).values;
    if (since !== undefined && (record || long)) throw new UndecidedError('Only a whole run can be recorded, or be long.');
    if (record && long) throw new UndecidedError('Only a run of the usual size can be recorded.');
    return { selection: since === undefined ? undefined : selectTests(since), isRecorded: record, isLong: long };
  } catch (error) {
    const isForUser = error instanceof UndecidedError || (error instanceof TypeError && 'code' in error);
    console.error(
      isForUser
        ? `${error.message}

Usage: npm test [-- --since COMMIT | --record], or npm run test:long`
        : error,
    );
    process.exit(2);
  }
}

function exitCode(): number {
  if (interrupted.aborted) return 130;
  return total.failed > 0 ? 1 : 0;
}

function runTime(): RunTime {
  return { seconds: (performance.now() - begun) / 1000, idle: idleShare(coresBefore, readCores()) };
}

/** Nothing is recorded after a failure: the failed file may have ended early, or run into its timeout. */
function record(): string {
  if (process.exitCode !== 0) return 'The durations were not recorded, since not all passed.';
  recordDurations(total.files);
  recordBudgets(times);
  return 'The durations are recorded in scripts/test/durations.json, processor times in scripts/test/budget.json.';
}
