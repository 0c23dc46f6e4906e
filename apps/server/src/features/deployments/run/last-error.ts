/** Finds the line among an agent's last lines that explains its exit. Error texts are also parsed in `diagnose-output.ts`. */

/** The agent writes the lines, so every pattern below sees a bounded number of them, and a bounded part of each. */
const maxLines = 60;
const maxLineLength = 2000;
const maxQuoted = 300;

const frame = /^ {1,8}File "/;
/** Python draws exception groups with bars, and indents each member behind them. */
const bar = /^ {0,40}\| /;
/** `TypeError: `, `Uncaught Error [CODE]: `; the name before the colon is checked separately. */
const named = /^(?:Uncaught )?([A-Za-z_$][\w$.]{0,150})(?: \[\w{1,60}\])?:/;
const spoken = /^(?:error|fatal|fatal error|panic|PANIC)(?: [A-Z]{1,5}\d{1,6})?: /;
const panicked = /^thread '.{0,100}' panicked at /;
/** An error that only says that something failed whose cause was told before it. */
const vague = /\b(?:start-?up|initiali[sz]ation|set-?up) failed\W{0,3}$/i;
const isHeadline = (line: string) => /(?:Error|Exception)$/.test(named.exec(line)?.[1] ?? '') || spoken.test(line) || panicked.test(line);
/** An agent's own log lines say less than the error that ended it. */
const level = /\b(?:ERROR|CRITICAL|FATAL)\b/;
/** Programs also report errors in their own words: `Configuration error: …`. */
function saysInWords(line: string): boolean {
  const [head, ...rest] = line.slice(0, 120).split(':');
  return (
    rest.length > 0 &&
    !/^\s/.test(line) &&
    (head ?? '')
      .split(' ')
      .slice(0, 6)
      .some((word) => /^\W{0,3}(?:error|failed|failure)\W{0,3}$/i.test(word))
  );
}
/** Exceptions of a process that is ended from outside, or that cancels its own tasks. */
const noCause = /^(?:KeyboardInterrupt|SystemExit|GeneratorExit|(?:asyncio\.|concurrent\.futures\.)?(?:exceptions\.)?CancelledError)\b/;

// oxlint-disable-next-line no-control-regex -- that is how a colour begins
const colours = /\u001b\[[\d;]{0,40}m/g;

/**
 * The last error among an agent's last lines: the line that ends a Python traceback, or the first line of an error with its stack; else the
 * last line with an error level. Undefined if no line reports an error.
 */
export const lastError = (tail: string[]): string | undefined => shortened(lastErrorLine(tail));

/** The same, not yet truncated for a message. */
export function lastErrorLine(tail: string[]): string | undefined {
  const lines = tail.slice(-maxLines).map((line) => withoutColours(line.slice(0, maxLineLength)).replace(bar, ''));
  const found = lines.findLastIndex((line, at) => isError(lines, at) && !noCause.test(line));
  if (found === -1) return lines.findLast((line) => level.test(line)) ?? lines.findLast(saysInWords) ?? lastOf(lines, errorOfJson);
  if (vague.test(lines[found]!)) {
    const told = lines.slice(0, found).findLast((line, at) => tellsCause(lines, at) && !vague.test(line));
    if (told !== undefined) return told;
  }
  // Some errors have nothing but a name in their first line: “LookupError:” of NLTK, and what is missing below it.
  if (/^[\w.]{1,150}:\s{0,5}$/.test(lines[found]!)) {
    const more = lines.slice(found + 1, found + 6).find((line) => /[a-z]{3}/i.test(line));
    if (more !== undefined) return `${lines[found]!.trimEnd()} ${more.trim()}`;
  }
  // Pydantic names the field on the following lines.
  const isList = /validation errors? for/.test(lines[found]!);
  return lines.slice(found, isList ? found + 3 : found + 1).join(' ');
}

const lastOf = (lines: string[], read: (line: string) => string | undefined) => lines.map(read).findLast((text) => text !== undefined);

/** pino's error levels (https://github.com/pinojs/pino/blob/main/docs/api.md#loggerlevels-object), and level words of other loggers. */
const isErrorLevel = (level: unknown) => level === 50 || level === 60 || /^(?:error|fatal|critical)$/i.test(String(level));

/** The error in a line of a JSON logger, without its time and source. */
function errorOfJson(line: string): string | undefined {
  if (!line.startsWith('{') || !line.endsWith('}')) return undefined;
  try {
    const {
      level: own,
      msg,
      message = msg,
      time: _,
      timestamp: __,
      pid: ___,
      hostname: ____,
      ...rest
    } = JSON.parse(line) as Record<string, unknown>;
    if (!isErrorLevel(own)) return undefined;
    return [message, Object.keys(rest).length > 0 ? JSON.stringify(rest) : undefined].filter((part) => typeof part === 'string').join(' ');
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const says = '; its output says “';
/** Continues a sentence of a message. */
export const quotedError = (error: string | undefined) => (error === undefined ? '' : `${says}${error}”`);

/** Removes terminal colours, which a message would show as letters and brackets. */
export const withoutColours = (line: string) => line.replace(colours, '');

/** A message about a deployment without the agent's own output: for alerts and mails. */
export function withoutOutput(message: string): string {
  const head = message.split('\n\nLast lines:')[0]!;
  const from = head.indexOf(says);
  const to = head.indexOf('”', from + says.length);
  return from === -1 || to === -1 ? head : head.slice(0, from) + head.slice(to + 1);
}

const tellsCause = (lines: string[], at: number) => isError(lines, at) || (level.test(lines[at]!) && !lines[at]!.includes('Traceback'));

/** Whether a line is the headline of an error, or follows the frames of a traceback. */
function isError(lines: string[], at: number): boolean {
  const line = lines[at]!;
  if (line.trim() === '' || /^\s/.test(line)) return false;
  let above = at - 1;
  while (above >= 0 && /^\s/.test(lines[above]!) && !frame.test(lines[above]!)) above -= 1;
  if (above < 0 || !frame.test(lines[above]!)) return isHeadline(line);
  while (above >= 0 && (/^\s/.test(lines[above]!) || lines[above]!.includes('Traceback (most recent call last)'))) above -= 1;
  return !lines[above]?.startsWith('Exception ignored in');
}

function shortened(line: string | undefined): string | undefined {
  const text = line
    ?.replace(/\s{1,500}/g, ' ')
    .replaceAll('”', '"')
    .trim();
  return text !== undefined && text.length > maxQuoted ? `${text.slice(0, maxQuoted)} …` : text;
}
