import type { Scope } from './platform.ts';

/** Cleans up in reverse: a platform ends before its database, and that before its files go. The runner itself takes the order of the making. */
export function inReverse(t: Scope): Scope {
  const ends: (() => unknown)[] = [];
  t.after(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  return { after: (end) => void ends.push(end) };
}
