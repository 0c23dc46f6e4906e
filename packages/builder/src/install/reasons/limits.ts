import { type FailureOutput, findFirstReason, type Reason, type Rule } from './reason.ts';

const rules: Rule[] = [
  [
    /No space left on device|ENOSPC|EDQUOT|Disk quota exceeded/i,
    () => ({
      reason: 'The build’s disk is full.',
      hint: 'Use fewer or smaller dependencies, or ask the operator to free disk space.',
    }),
  ],
  [
    /JavaScript heap out of memory/,
    () => ({
      reason: 'Node ran out of heap memory.',
      hint: 'Raise the heap in the build script (NODE_OPTIONS=--max-old-space-size=2048), or ask the operator for a larger build limit.',
    }),
  ],
  [
    /Killed signal terminated program (\S{1,40})/,
    ([, program]) => ({
      reason: `The compiler (${program}) was killed, most likely because memory ran out.`,
      hint: 'Use a version with a prebuilt package, or ask the operator for a larger build limit.',
    }),
  ],
  [
    /EMFILE|Too many open files/,
    () => ({
      reason: 'The build opened too many files at once.',
      hint: 'Reduce its concurrency, or ask the operator for a larger build limit.',
    }),
  ],
];

/** A limit of the build that was reached. */
export const limitReason = (output: FailureOutput): Reason | undefined => findFirstReason(output, rules);
