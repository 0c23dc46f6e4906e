// `npm run test:faults`: performs every fault, or those named as arguments, and prints a table of results. `--seed N` repeats a run.
import { endAll } from '../apps/server/test/postgres.ts';
import { untilInterrupted } from '../scripts/program.ts';
import { startTestDatabase } from '../scripts/test/database.ts';
import { allFaults } from './all.ts';
import { type Outcome, perform } from './perform.ts';

const args = process.argv.slice(2);
const at = args.indexOf('--seed');
const seed = at >= 0 ? Number(args.splice(at, 2)[1]) : Math.floor(Math.random() * 2 ** 31);
const faults = (await allFaults()).filter(({ id }) => args.length === 0 || args.some((name) => id === name || id.startsWith(`${name}-`)));
if (!Number.isSafeInteger(seed) || faults.length === 0) {
  console.error('Usage: npm run test:faults [-- [--seed NUMBER] [NAME OF A FAULT, OR ITS BEGINNING…]]');
  process.exit(2);
}
console.log(`seed ${seed}`);

const interrupted = untilInterrupted();
const outcomes: Outcome[] = [];
const database = await startTestDatabase(interrupted);
Object.assign(process.env, database.env);
let tidy = true;
try {
  for (const fault of faults) {
    if (interrupted.aborted) break;
    const outcome = await perform(fault, seed);
    outcomes.push(outcome);
    console.log(
      `${outcome.passed ? 'passed' : 'FAILED'} ${fault.id} (${(outcome.ms / 1000).toFixed(1)} s)${outcome.passed ? '' : `: ${outcome.seen}`}`,
    );
  }
} finally {
  await endAll().catch((error: unknown) => {
    tidy = false;
    console.error('cleaning up failed:', error);
  });
  await database.stop();
}

const failed = outcomes.filter(({ passed }) => !passed).length;
console.log(`\nseed ${seed}\n\nfault | expected | seen | passed\n--- | --- | --- | ---`);
for (const { fault, seen, passed } of outcomes)
  console.log(`${fault.id}: ${fault.fault} | ${fault.expected} | ${seen.replace(/\s*\n\s*/g, ' ⏎ ')} | ${passed ? 'yes' : 'NO'}`);
console.log(`\n${outcomes.length - failed} passed, ${failed} failed`);
const code = failed || !tidy ? 1 : 0;
process.exit(interrupted.aborted ? 130 : code);
