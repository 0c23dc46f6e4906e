/**
 * Allows a rate per second of each key, and a burst after a pause. A refusal costs one map lookup: nothing is
 * written or allocated. `now` is in milliseconds, by any monotonic clock.
 */
export function tokenBuckets({ perSecond, burst }: { perSecond: number; burst: number }) {
  const everyMs = 1_000 / perSecond;
  const maxAheadMs = (burst - 1) * everyMs;
  /** When the bucket of a key is full again; a missing bucket is full. */
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

  /** Deletes full buckets, which equal missing ones: only the keys of the last few seconds remain. */
  function forgetFull(now: number): void {
    for (const [key, at] of fullAt) if (at <= now) fullAt.delete(key);
  }
}
