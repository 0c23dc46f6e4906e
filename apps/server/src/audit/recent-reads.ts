/** Repeated reads of a log are recorded once in this time. */
const forMs = 10 * 60_000;
/** Beyond this the oldest entries are dropped: their next read is recorded again. */
const maxEntries = 10_000;

/** Recent reads by reader. */
export function recentReads() {
  const until = new Map<string, number>();
  return {
    has: (reader: string): boolean => (until.get(reader) ?? 0) > performance.now(),
    add(reader: string): void {
      until.delete(reader);
      until.set(reader, performance.now() + forMs);
      const [oldest] = until.keys();
      if (until.size > maxEntries && oldest !== undefined) until.delete(oldest);
    },
  };
}
