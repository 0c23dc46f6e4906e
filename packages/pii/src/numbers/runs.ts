// Runs of digits, which all numbers consist of.

/** The bounds of the runs of digits: the run `i` begins at `[2 * i]` and ends before `[2 * i + 1]`. */
export type Runs = readonly number[];

export const lengthOf = (runs: Runs, i: number): number => runs[2 * i + 1]! - runs[2 * i]!;
export const countOf = (runs: Runs): number => runs.length / 2;
