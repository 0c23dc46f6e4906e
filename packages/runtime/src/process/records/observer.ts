import type { Host } from '../host/host.ts';

/** The machine's shortage, not one sandbox's: it says nothing of any of them. */
const SHORTAGES = ['EMFILE', 'ENFILE', 'ENOMEM'];

/**
 * Looks at the instances or services of a host one by one. Where one cannot be looked at (a disk that fails), it is told as it was seen last:
 * it must not hide the others, nor be taken for lost. One that was never seen is left out until it can be looked at, and logged; throws
 * then only where the machine lacks what any look needs.
 */
export function looksAt<T>(host: Host, kind: 'instance' | 'service', observe: (id: string) => Promise<T | undefined>) {
  const lastSeen = new Map<string, T>();
  const trouble = (id: string) => `look at ${id}`;

  async function look(id: string): Promise<T | undefined> {
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
    one: look,
    async all(ids: string[]): Promise<T[]> {
      const found: T[] = [];
      for (const id of ids) {
        const one = await look(id);
        if (one) found.push(one);
      }
      return found;
    },
    forget(id: string): void {
      lastSeen.delete(id);
      host.troubles.over(trouble(id));
    },
  };
}
