import { after } from 'node:test';

const cleanups: (() => Promise<unknown>)[] = [];

/** Runs at the end of the test file, the latest first: what was started last is ended first. */
export const atEnd = (clean: () => Promise<unknown>) => cleanups.push(clean);

/** Programs that are no test file call it themselves. */
export async function endAll() {
  for (const clean of cleanups.splice(0).reverse()) await clean();
}

// At the top level: inside a test it would run when that test ends. In a group of files `group.ts` calls it after each of them.
if (process.argv[1]?.endsWith('.test.ts')) after(endAll);
