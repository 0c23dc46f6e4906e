export interface Counts {
  total: number;
  active: number;
}
interface Counted {
  version: number;
  counts: Promise<Counts>;
}

/** Lists of this many teams and filters are remembered. */
const remembered = 1000;

/**
 * Counts that are as true as if they were counted now, but counted once per version of the team: whatever changes a deployment or a
 * project raises it in the same transaction. Callers who come at once wait for one count.
 */
export function sharedCounts() {
  const known = new Map<string, Counted>();

  return function counted(key: string, version: number, count: () => Promise<Counts & { version: number }>): Promise<Counts> {
    const last = known.get(key);
    if (last?.version === version) return last.counts;
    const one: Counted = {
      version,
      counts: count().then(
        ({ version: seen, ...counts }) => {
          one.version = seen; // somebody may have changed something meanwhile: then it is the count of that version
          return counts;
        },
        (error: unknown) => {
          if (known.get(key) === one) known.delete(key);
          throw error;
        },
      ),
    };
    known.delete(key);
    known.set(key, one);
    if (known.size > remembered) known.delete(known.keys().next().value!);
    return one.counts;
  };
}
