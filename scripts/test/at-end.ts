import { after } from 'node:test';

const cleanups: (() => Promise<unknown>)[] = [];

/** Registers a cleanup for the end of the test file. The last registered cleanup runs first. */
export const atEnd = (clean: () => Promise<unknown>) => cleanups.push(clean);

/** Runs the cleanups. Programs that are not test files call it themselves. */
export async function endAll() {
  for (const clean of cleanups.splice(0).reverse()) await clean();
}

// The hook is at the top level: inside a test it would run when that test ends. For a group of files, `group.ts` calls `endAll` after each.
if (process.argv[1]?.endsWith('.test.ts')) after(endAll);
