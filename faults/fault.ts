import type { Scope } from '../apps/server/test/platform.ts';

/** A failure made on purpose, followed by a check of the invariants. `npm run test:faults` prints all faults as a table. */
export interface Fault {
  /** Stable, so that a run can name it: `server-killed-building`. */
  id: string;
  /** The failure, in a few words. */
  fault: string;
  /** The behaviour that a user must see. */
  expected: string;
  /** Part of `npm test` as well: it is fast, and no other fault covers its kind. */
  short?: boolean;
  /** Part of `npm run test:long`: another test of `npm test` holds the same promise. */
  long?: boolean;
  /** Failpoints that it arms. Each failpoint of the product is in some fault's list. */
  failpoints?: readonly string[];
  /** Time limit; 300 by default. */
  limit_s?: number;
  /**
   * Causes the fault, checks what a user sees and the invariants, and returns a summary. Throws when a promise is broken. All randomness
   * comes from `seed`. What the fault starts for itself ends with `scope`; what faults share ends with the run.
   */
  run(seed: number, scope: Scope): Promise<string>;
}
