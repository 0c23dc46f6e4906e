import { after } from 'node:test';

const cleanups: (() => Promise<unknown>)[] = [];

/** Registers a cleanup for the end of the test file. The last registered cleanup runs first. */
export const atEnd = (clean: () => Promise<unknown>) => cleanups.push(clean);

/**
 * Runs the cleanups. One that fails does not keep the others from running: what they would have ended would keep the process alive.
 * Programs that are not test files call it themselves.
 */
export async function endAll() {
  const errors: unknown[] = [];
  for (const clean of cleanups.splice(0).reverse())
    try {
      await clean();
    } catch (error) {
      errors.push(error);
    }
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregateError(errors, `${errors.length} cleanups failed`);
}

// The hook is at the top level: inside a test it would run when that test ends. For a group of files, `group.ts` calls `endAll` after each.
if (process.argv[1]?.endsWith('.test.ts')) after(endAll);
