/**
 * How many lines the next statement takes: few at first, more while statements end in less than `wishedMs`, fewer when they take longer. What a line
 * costs is a stranger's doing: its length, and how nearly it matches.
 */
export const nextBatchSize = (size: number, tookMs: number, { least, most, wishedMs }: BatchBounds): number =>
  Math.min(most, Math.max(least, Math.round(size * Math.min(growth, wishedMs / Math.max(tookMs, 1)))));

export interface BatchBounds {
  least: number;
  most: number;
  wishedMs: number;
}

const growth = 4;
