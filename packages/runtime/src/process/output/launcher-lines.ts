/** Prefixes of the lines in which the programs that start a command report that they could not. */
const failedStart = /^(?:bwrap: execvp|(?:prlimit|setpriv): failed to execute|\/\S{1,4000}\/enter\.sh: (?:line )?\d{1,9}: exec:) /;
const ownReport = /^(?:bwrap|bubblewrap): /;

/**
 * Rewrites a line of an instance's or a step's output. A failure reported by the programs that start the command then names the command and
 * the reason, not those programs, which its owner never typed.
 */
export function withoutLauncher(line: string): string {
  const start = failedStart.exec(line)?.[0];
  if (start !== undefined) return `exec: ${line.slice(start.length)}`;
  return line.replace(ownReport, 'sandbox: ');
}
