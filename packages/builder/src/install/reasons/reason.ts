/** The reason why a command failed, as far as its output shows it. */
export interface Reason {
  /** The failure, as a sentence. */
  reason: string;
  /** The suggested fix, as a sentence. */
  hint: string;
  /** A package whose absence is the cause, if its name is certain. */
  missingPackage?: string;
  /** A program whose absence is the cause, if a package is known that brings it. */
  missingProgram?: string;
  /** The failure was caused by the Node version. */
  causedByNodeVersion?: true;
  /** The package whose install script could not fetch what it needs. */
  unfetchedBy?: string;
  /** The same command may succeed when retried. */
  transient?: boolean;
}

/**
 * A pattern for a line that shows a cause, and a function from its groups to the cause. The function returns undefined if the line means
 * something else.
 */
export type Rule = readonly [pattern: RegExp, say: (groups: string[], output: FailureOutput) => Reason | undefined];

/** Output of a failed command: trimmed lines, none empty, bounded in number and length. */
export interface FailureOutput {
  lines: string[];
  text: string;
}

/** The cause of the first rule that matches any line. The order of the rules decides, not that of the lines. */
export function findFirstReason(output: FailureOutput, rules: readonly Rule[]): Reason | undefined {
  for (const [pattern, say] of rules)
    for (const line of output.lines) {
      const match = pattern.exec(line);
      const reason = match === null ? undefined : say([...match].map(shown), output);
      if (reason !== undefined) return reason;
    }
  return undefined;
}

/** The first group of a pattern on any of the lines. */
export function find({ lines }: FailureOutput, pattern: RegExp): string | undefined {
  for (const line of lines) {
    const found = pattern.exec(line)?.[1];
    if (found !== undefined) return shown(found);
  }
  return undefined;
}

/** The line after the first one that matches. */
export function lineAfter({ lines }: FailureOutput, pattern: RegExp): string | undefined {
  const at = lines.findIndex((line) => pattern.test(line));
  return at === -1 ? undefined : lines[at + 1];
}

const maxShown = 200;
/** Text of a stranger in a form that is safe in a sentence. The agent's source is at /app. */
function shown(text: string | undefined): string {
  const clean = (text ?? '').replace(/(^|[^\w.@/-])\/app\//g, '$1').trim();
  return clean.length > maxShown ? `${clean.slice(0, maxShown)} …` : clean;
}
