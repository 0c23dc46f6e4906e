// `npm run test:planted`: plants one bug at a time in a copy of the product; each time the test that guards the line must fail.
// `-- word …` takes only the bugs whose description or file contains one of the words.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { untilInterrupted } from '../scripts/program.ts';
import { startTestDatabase } from '../scripts/test/database.ts';
import { copyRepository } from './planted/copy.ts';
import { bugs as all } from './planted/list.ts';
import { plant, runTests } from './planted/try-bug.ts';

interface Row {
  bug: string;
  promise: string;
  'caught by': string;
  caught: 'yes' | 'NO' | 'not tried';
}

const words = process.argv.slice(2);
const bugs = words.length ? all.filter((one) => words.some((word) => `${one.bug} ${one.file}`.includes(word))) : all;
const interrupted = untilInterrupted();
const folder = mkdtempSync(join(tmpdir(), 'paddock-planted-'));
const copy = join(folder, 'copy');
const rows: Row[] = [];
const problems: string[] = [];
try {
  copyRepository(copy);
  const database = await startTestDatabase(interrupted);
  try {
    // The migrated template database is not used: a bug may be in a migration.
    const env = { ...process.env, PADDOCK_TEST_DATABASE_URL: database.env.PADDOCK_TEST_DATABASE_URL };
    for (const file of new Set(bugs.map((one) => one.caught_by.file))) if (!interrupted.aborted) await tryFile(file, env);
  } finally {
    await database.stop();
  }
} catch (error) {
  problems.push(String(error));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.table(rows);
for (const problem of problems) console.log(problem);
const caught = rows.filter((row) => row.caught === 'yes').length;
const failed = bugs.length - caught;
console.log(`${caught} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
if (interrupted.aborted) process.exitCode = 130;

/** Runs the tests without any bug first: a test that fails then proves nothing. */
async function tryFile(file: string, env: NodeJS.ProcessEnv) {
  const mine = bugs.filter((one) => one.caught_by.file === file);
  const names = [...new Set(mine.map((one) => one.caught_by.test))];
  const sound = await runTests({ copy, env, signal: interrupted }, file, names);
  for (const one of mine) {
    const row: Row = { bug: one.bug, promise: one.promise, 'caught by': `${file}: ${one.caught_by.test}`, caught: 'not tried' };
    rows.push(row);
    const before = sound.outcomes.filter(({ name }) => name.startsWith(one.caught_by.test));
    if (!before.length || !before.every(({ passed }) => passed)) {
      problems.push(
        `${one.bug}: without it the test ${before.length ? 'fails' : 'is not there'}: "${one.caught_by.test}" in ${file}\n${sound.output.slice(-2000)}`,
      );
      continue;
    }
    if (interrupted.aborted) continue;
    const broken = await plant({ copy, env, signal: interrupted }, one);
    // The named test itself must fail: a file that cannot even be loaded would prove nothing.
    const isCaught = broken.outcomes.some(({ name, passed }) => name.startsWith(one.caught_by.test) && !passed);
    row.caught = isCaught ? 'yes' : 'NO';
    if (!isCaught) problems.push(`${one.bug}: ${broken.problem ?? `not caught\n${broken.output.slice(-2000)}`}`);
    console.log(`${isCaught ? '✔' : '✖'} ${one.bug}`);
  }
}
