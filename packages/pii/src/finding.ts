import type { PiiType } from './types.ts';

/** A value in a text. `start` and `end` count UTF-16 units of the original text; `score` is between 0 and 1. */
export interface Finding {
  type: PiiType;
  start: number;
  end: number;
  score: number;
}
