/**
 * Log-linear histogram of microseconds. Values below 64 have a bucket each; above, every doubling is divided into 64 equal
 * buckets, so the middle of a bucket is within 0.8 % of any value in it. Bucket numbers never change their meaning:
 * histograms of minutes, hours and gateways merge by adding counts.
 *
 *   bucket = shift * 64 + (value >> shift)   with shift = max(0, floor(log2(value)) - 6)
 */
export type Histogram = Map<number, number>;

const greatest = 2 ** 32 - 1;

/** The bucket of a value; values are capped at 71 minutes. */
export function findBucket(us: number): number {
  const value = us > 0 ? Math.floor(Math.min(us, greatest)) : 0;
  const shift = Math.max(0, 25 - Math.clz32(value));
  return shift * 64 + (value >>> shift);
}

/** The middle of a bucket, in microseconds. */
export function bucketMiddle(bucket: number): number {
  if (bucket < 128) return bucket;
  const shift = Math.floor(bucket / 64) - 1;
  return (bucket - shift * 64 + 0.5) * 2 ** shift - 0.5;
}

export function observe(histogram: Histogram, us: number): void {
  const bucket = findBucket(us);
  histogram.set(bucket, (histogram.get(bucket) ?? 0) + 1);
}

export function merge(into: Histogram, other: Histogram): void {
  for (const [bucket, count] of other) into.set(bucket, (into.get(bucket) ?? 0) + count);
}

/** The value that `share` (0 … 1) of all observations do not exceed; undefined without observations. */
export function quantile(histogram: Histogram, share: number): number | undefined {
  let total = 0;
  for (const count of histogram.values()) total += count;
  if (total === 0) return undefined;
  let left = Math.max(1, Math.ceil(share * total));
  for (const bucket of [...histogram.keys()].sort((a, b) => a - b)) {
    left -= histogram.get(bucket)!;
    if (left <= 0) return bucketMiddle(bucket);
  }
  return undefined;
}

/** The form in the database: `{"<bucket>": count}`. */
export function toSparse(histogram: Histogram): Record<string, number> {
  return Object.fromEntries(histogram);
}

export function fromSparse(sparse: Record<string, number>): Histogram {
  return new Map(Object.entries(sparse).map(([bucket, count]) => [Number(bucket), count]));
}
