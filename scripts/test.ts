// `npm test`: every check and every test of Paddock, one stage after the other, and one line with the sum at the end.
// `npm test -- --since REF`: the checks, and the tests that the changes since a commit can reach.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { untilInterrupted } from './program.ts';
import { add, type Counts, NONE, retold, summary } from './test/counts.ts';
import { startTestDatabase } from './test/database.ts';
import { UndecidedError } from './test/since/changes.ts';
import { type Selection, selectTests } from './test/since/selection.ts';
import { type Stage, stages } from './test/stages.ts';
import { childCpuSeconds, type StageTime, timeReport } from './test/times.ts';

const MAX_STAGE_MS = 45 * 60_000;

const selection = readSelection();
if (selection) console.log(selection.before);
const interrupted = untilInterrupted();
const folder = mkdtempSync(join(tmpdir(), 'paddock-test-'));
let total = NONE;
const times: StageTime[] = [];
try {
  const database = await startTestDatabase(interrupted);
  try {
    const env = { ...process.env, ...database.env };
    for (const stage of stages(selection?.wanted)) if (!interrupted.aborted) total = add(total, await runStage(stage, env));
  } finally {
    await database.stop();
  }
} catch (error) {
  console.error(error);
  total = add(total, { ...NONE, failed: 1, failures: [String(error)] });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = exitCode();
if (total.failures.length > 0) console.log(`\n── What failed\n\n${retold(total)}`);
if (times.length > 0) console.log(`\n── Where the time went\n\n${timeReport(times, total.files)}`);
if (selection) console.log(`\n${selection.after}`);
console.log(`\n${summary(total)}`);

/** Ends the process where the arguments make no sense or the tests cannot be told: without tests nothing may look passed. */
function readSelection(): Selection | undefined {
  try {
    const { since } = parseArgs({ options: { since: { type: 'string' } } }).values;
    return since === undefined ? undefined : selectTests(since);
  } catch (error) {
    const isForUser = error instanceof UndecidedError || (error instanceof TypeError && 'code' in error);
    console.error(
      isForUser
        ? `${error.message}

Usage: npm test [-- --since COMMIT]`
        : error,
    );
    process.exit(2);
  }
}

function exitCode(): number {
  if (interrupted.aborted) return 130;
  return total.failed > 0 ? 1 : 0;
}

/** A stage that breaks down counts as one failure; the next ones run all the same. */
async function runStage({ name, run }: Stage, env: NodeJS.ProcessEnv): Promise<Counts> {
  console.log(`\n── ${name}\n`);
  const begun = performance.now();
  const cpuBefore = childCpuSeconds();
  try {
    const counts = await run({ reports: folder, env, signal: AbortSignal.any([interrupted, AbortSignal.timeout(MAX_STAGE_MS)]) });
    console.log(`\n${name}: ${counts.passed} of ${counts.passed + counts.failed} passed`);
    return counts;
  } catch (error) {
    console.error(`${name} could not run:`, error);
    return { ...NONE, failed: 1, failures: [`${name} could not run: ${error}`] };
  } finally {
    const cpu = childCpuSeconds();
    const cpu_seconds = cpu === undefined || cpuBefore === undefined ? undefined : cpu - cpuBefore;
    times.push({ name, seconds: (performance.now() - begun) / 1000, cpu_seconds });
  }
}
