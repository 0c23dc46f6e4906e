/** Counts by key; a key that nobody holds takes no memory. */
export function inFlightCounts() {
  const counts = new Map<string, number>();
  const of = (key: string) => counts.get(key) ?? 0;

  return {
    of,
    add: (key: string) => void counts.set(key, of(key) + 1),
    remove(key: string) {
      const left = of(key) - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    },
  };
}
