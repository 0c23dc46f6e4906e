import type { PiiType } from './types.ts';

/** A value in a text. `start` and `end` count UTF-16 units of the text as it was given; `score` goes from 0 to 1. */
export interface Finding {
  type: PiiType;
  start: number;
  end: number;
  score: number;
}
