/** Upper bounds of the buckets for Prometheus, in seconds. They never change, because dashboards name them. */
export const boundsSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300] as const;

/** The gateway's bucket (see its `histogram.ts`) of a time in microseconds. */
export function findBucket(us: number): number {
  const shift = Math.max(0, 25 - Math.clz32(us));
  return shift * 64 + (us >>> shift);
}

/**
 * For `width_bucket`: the first of the gateway's buckets beyond each bound. The bucket that contains a bound counts as below the bound, so times up
 * to 1.6 % beyond the bound do too.
 */
export const firstBucketsBeyond: number[] = boundsSeconds.map((seconds) => findBucket(seconds * 1_000_000) + 1);
