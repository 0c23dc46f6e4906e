/** One line of the product made wrong, and the test that must notice. */
export interface PlantedBug {
  /** In a few words what the change does. */
  bug: string;
  /** Of the promises (P), invariants (I) and requirements (R) of the design, or in words. */
  promise: string;
  file: string;
  /** Stands exactly once in the file; a change of the code that moves it has to move it here too. */
  from: string;
  to: string;
  /** The test file that must fail, and the beginning of the name of the test in it. */
  caught_by: { file: string; test: string };
}
