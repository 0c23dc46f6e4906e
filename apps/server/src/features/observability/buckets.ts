/** Upper bounds of the buckets that Prometheus gets, in seconds. They never change: a dashboard names them. */
export const boundsSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300] as const;

/** The gateway's bucket (`histogram.ts` there) of a time in microseconds. */
export function bucketOf(us: number): number {
  const shift = Math.max(0, 25 - Math.clz32(us));
  return shift * 64 + (us >>> shift);
}

/**
 * For `width_bucket`: the first of the gateway's buckets beyond each bound. The bucket that holds a bound counts as below the bound, so times up to
 * 1.6 % beyond the bound do too.
 */
export const firstBucketsBeyond: number[] = boundsSeconds.map((seconds) => bucketOf(seconds * 1_000_000) + 1);
