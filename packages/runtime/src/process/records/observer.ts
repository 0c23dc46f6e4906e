import type { Host } from '../host/host.ts';

/** Shortages of the whole machine, which are unrelated to a single sandbox. */
const SHORTAGES = ['EMFILE', 'ENFILE', 'ENOMEM'];

/**
 * Observes the instances or services of a host one by one. If observing fails (for example because a disk fails), the last known state is
 * returned, so that a failure neither hides the others nor looks like a loss. A sandbox that was never seen is logged and left out. Only a
 * shortage of the machine throws in that case.
 */
export function observer<T>(host: Host, kind: 'instance' | 'service', observe: (id: string) => Promise<T | undefined>) {
  const lastSeen = new Map<string, T>();
  const trouble = (id: string) => `look at ${id}`;

  async function observeOne(id: string): Promise<T | undefined> {
    try {
      const found = await observe(id);
      host.troubles.over(trouble(id));
      if (found) lastSeen.set(id, found);
      return found;
    } catch (error) {
      const seen = lastSeen.get(id);
      if (!seen && SHORTAGES.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
      const counts = seen ? 'it counts as it was before' : 'it is left out';
      host.troubles.tell(trouble(id), { err: error, [kind]: id }, `This ${kind} cannot be looked at; ${counts}.`);
      return seen;
    }
  }

  return {
    one: observeOne,
    async all(ids: string[]): Promise<T[]> {
      const found: T[] = [];
      for (const id of ids) {
        const state = await observeOne(id);
        if (state) found.push(state);
      }
      return found;
    },
    forget(id: string): void {
      lastSeen.delete(id);
      host.troubles.over(trouble(id));
    },
  };
}
