export interface Counts {
  total: number;
  active: number;
}
interface Counted {
  version: number;
  counts: Promise<Counts>;
}

/** Maximum cached counts, by team and filter. */
const remembered = 1000;

/**
 * Counts that are always current, but computed once per version of the team: every change of a deployment or a project raises the version
 * in the same transaction. Concurrent callers share one count.
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
          one.version = seen; // after a concurrent change this is the count of the version that the query saw
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
