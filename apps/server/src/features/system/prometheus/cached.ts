/** Callers within `keepMs` of a result share it, and concurrent callers wait for the same call. A failure is not cached. */
export function cached<T>(make: () => Promise<T>, keepMs: number, now = () => performance.now()): () => Promise<T> {
  let answer: { made: Promise<T>; until: number } | undefined;
  return () => {
    if (answer && now() < answer.until) return answer.made;
    const mine = { made: make(), until: Number.POSITIVE_INFINITY };
    answer = mine;
    mine.made.then(
      () => (mine.until = now() + keepMs),
      () => (mine.until = 0),
    );
    return mine.made;
  };
}
