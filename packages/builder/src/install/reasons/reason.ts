/** Why a command failed, as far as its output says so. */
export interface Reason {
  /** What happened, as a sentence. */
  reason: string;
  /** What to do, as a sentence. */
  hint: string;
  /** A package whose absence is the cause, where its name is certain. */
  lacks?: string;
  /** The cause is the version of Node. */
  isOfNode?: true;
  /** The same command may succeed a moment later. */
  transient?: boolean;
}

/** A line that tells a cause, and the cause that its groups give; undefined if the line means something else after all. */
export type Rule = readonly [pattern: RegExp, say: (groups: string[], said: Said) => Reason | undefined];

/** Output of a failed command: trimmed lines, none empty, bounded in number and length. */
export interface Said {
  lines: string[];
  text: string;
}

/** The cause of the first rule that fits any line: the order of the rules decides, not that of the lines. */
export function firstOf(said: Said, rules: readonly Rule[]): Reason | undefined {
  for (const [pattern, say] of rules)
    for (const line of said.lines) {
      const match = pattern.exec(line);
      const reason = match === null ? undefined : say([...match].map(shown), said);
      if (reason !== undefined) return reason;
    }
  return undefined;
}

/** The first group of a pattern on any of the lines. */
export function find({ lines }: Said, pattern: RegExp): string | undefined {
  for (const line of lines) {
    const found = pattern.exec(line)?.[1];
    if (found !== undefined) return shown(found);
  }
  return undefined;
}

/** The line behind the first one that fits. */
export function lineAfter({ lines }: Said, pattern: RegExp): string | undefined {
  const at = lines.findIndex((line) => pattern.test(line));
  return at === -1 ? undefined : lines[at + 1];
}

const maxShown = 200;
/** Text of a stranger as a sentence may hold it; the agent's source is at /app. */
function shown(text: string | undefined): string {
  const clean = (text ?? '').replace(/(^|[^\w.@/-])\/app\//g, '$1').trim();
  return clean.length > maxShown ? `${clean.slice(0, maxShown)} …` : clean;
}
