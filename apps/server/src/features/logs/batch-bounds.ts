/**
 * Number of lines for the next statement: small at first, growing while statements take less than `wishedMs`, shrinking when they take
 * longer. The cost of a line depends on untrusted input: its length, and how nearly it matches.
 */
export const nextBatchSize = (size: number, tookMs: number, { least, most, wishedMs }: BatchBounds): number =>
  Math.min(most, Math.max(least, Math.round(size * Math.min(growth, wishedMs / Math.max(tookMs, 1)))));

export interface BatchBounds {
  least: number;
  most: number;
  wishedMs: number;
}

const growth = 4;
