import type { Scope } from './platform.ts';

/**
 * Runs clean-ups in reverse order: a platform ends before its database, and that before its files are removed. The runner's own order is that of
 * registration.
 */
export function inReverse(t: Scope): Scope {
  const ends: (() => unknown)[] = [];
  t.after(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  return { after: (end) => void ends.push(end) };
}
