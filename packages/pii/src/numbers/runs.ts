// Runs of digits: every number that a rule looks for is made of them.

/** Where runs of digits begin and end: the run `i` begins at `[2 * i]` and ends before `[2 * i + 1]`. */
export type Runs = readonly number[];

export const lengthOf = (runs: Runs, i: number): number => runs[2 * i + 1]! - runs[2 * i]!;
export const countOf = (runs: Runs): number => runs.length / 2;
