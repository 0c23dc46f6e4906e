/** A change that breaks one line of the product, and the test that must fail. */
export interface PlantedBug {
  /** The effect of the change, in a few words. */
  bug: string;
  /** The promise (P), invariant (I) or requirement (R) of the design, or words. */
  promise: string;
  file: string;
  /** Occurs exactly once in the file. A change of the code that moves it has to change it here too. */
  from: string;
  to: string;
  /** The test file that must fail, and the beginning of the name of the test in it. */
  caught_by: { file: string; test: string };
}
