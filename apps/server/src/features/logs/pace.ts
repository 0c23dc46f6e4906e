/**
 * How many lines the next statement takes: few at first, more while statements end in less than `wishedMs`, fewer when they take longer. What a line
 * costs is a stranger's doing: its length, and how nearly it matches.
 */
export const nextSize = (size: number, tookMs: number, { least, most, wishedMs }: Pace): number =>
  Math.min(most, Math.max(least, Math.round(size * Math.min(growth, wishedMs / Math.max(tookMs, 1)))));

export interface Pace {
  least: number;
  most: number;
  wishedMs: number;
}

const growth = 4;
