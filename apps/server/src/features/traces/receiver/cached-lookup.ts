const keptMs = 60_000;
const maxEntries = 10_000;

/** Looks an id up at most once a minute. A rejection is not cached. */
export function cachedLookup<T>(ask: (id: string) => Promise<T>, now: () => number = Date.now) {
  const known = new Map<string, { answer: T; until: number }>();
  return async (id: string): Promise<T> => {
    const found = known.get(id);
    if (found && found.until > now()) return found.answer;
    const answer = await ask(id);
    known.delete(id);
    known.set(id, { answer, until: now() + keptMs });
    if (known.size > maxEntries) known.delete(known.keys().next().value!);
    return answer;
  };
}
