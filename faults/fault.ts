import type { Scope } from '../apps/server/test/platform.ts';

/** One thing that goes wrong on purpose. Every fault ends with the invariants; `npm run test:faults` prints all of them as a table. */
export interface Fault {
  /** The same for ever, so that a run can name it: `server-killed-building`. */
  id: string;
  /** What is done, in a few words. */
  fault: string;
  /** What a user must see. */
  expected: string;
  /** Part of `npm test` as well: fast, and of a kind that no other fault covers. */
  short?: boolean;
  /** Part of `npm run test:long`: another test of `npm test` holds the same promise. */
  long?: boolean;
  /** Failpoints that it arms; each one in the product is in some fault's list. */
  failpoints?: readonly string[];
  /** Longest time that it may take; 300 without it. */
  limit_s?: number;
  /**
   * Does it, checks what a user sees and the invariants, and tells what was seen. Throws when a promise is broken. `seed` decides all
   * chance. What it starts for itself ends with `scope`; what faults share ends with the run.
   */
  run(seed: number, scope: Scope): Promise<string>;
}
