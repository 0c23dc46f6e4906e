/**
 * Lets through so many a second of each key, and so many at once after a pause. Whatever is refused costs one look into a map: nothing is
 * written, nothing is made. `now` is in milliseconds, by any clock that never goes back.
 */
export function tokenBuckets({ perSecond, burst }: { perSecond: number; burst: number }) {
  const everyMs = 1_000 / perSecond;
  const maxAheadMs = (burst - 1) * everyMs;
  /** When the bucket of a key is full again; one that is not here is full. */
  const fullAt = new Map<string, number>();

  return { take, forgetFull, size: () => fullAt.size };

  function take(key: string, now: number): boolean {
    const at = fullAt.get(key);
    if (at === undefined || at <= now) {
      fullAt.set(key, now + everyMs);
      return true;
    }
    if (at - now > maxAheadMs) return false;
    fullAt.set(key, at + everyMs);
    return true;
  }

  /** A full bucket is as good as none: what is left are the keys of the last few seconds. */
  function forgetFull(now: number): void {
    for (const [key, at] of fullAt) if (at <= now) fullAt.delete(key);
  }
}
