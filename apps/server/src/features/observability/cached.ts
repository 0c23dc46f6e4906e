/** Everybody who asks within `keepMs` of an answer gets the same one, and who asks while it is made waits for it. A failure is not kept. */
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
