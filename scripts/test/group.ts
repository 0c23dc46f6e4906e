/**
 * Runs several test files one after the other in this process: `group.ts TIMES FILE…`. Each file is a suite, so that its hooks are its own.
 * Loading the product costs more than most files; here it is loaded and compiled once. The durations are written to the file TIMES.
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { after, before, suite } from 'node:test';
import { pathToFileURL } from 'node:url';
import { endAll } from './at-end.ts';
import { cpuSeconds, type FileTime } from './times.ts';

/** Time after the last test before a report of what keeps the process alive. Run alone, the file that left it would hang for ever. */
const MAX_LEFT_OPEN_MS = 10_000;

const [times = '', ...files] = process.argv.slice(2);
const done: FileTime[] = [];

for (const file of files) await run(file);

/** Loads the file when the earlier ones are done: the work of its loading, such as a timer, belongs to its own time. */
function run(file: string): Promise<void> {
  const { promise, resolve: end } = Promise.withResolvers<void>();
  suite(file, async () => {
    let started = { at: 0, cpu_seconds: 0 };
    before(() => {
      started = { at: performance.now(), cpu_seconds: cpuSeconds() };
    });
    after(endAll);
    const env = { ...process.env };
    try {
      await import(pathToFileURL(resolve(file)).href);
    } catch (error) {
      restore(env);
      end();
      throw error;
    }
    after(() => {
      restore(env);
      done.push({ file, seconds: (performance.now() - started.at) / 1000, cpu_seconds: cpuSeconds() - started.cpu_seconds });
      end();
    });
  });
  return promise;
}

/** Undoes a file's changes of the environment, such as another registry, which the next file would have, too. */
function restore(env: NodeJS.ProcessEnv) {
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(env, name)) delete process.env[name];
  Object.assign(process.env, env);
}

after(() => {
  writeFileSync(times, JSON.stringify(done));
  setTimeout(endUnended, MAX_LEFT_OPEN_MS).unref();
});

function endUnended() {
  console.error(
    `Its tests are over, and something is still open: ${process.getActiveResourcesInfo().join(', ')}. Run each file alone to find which.`,
  );
  process.exit(1);
}
