import { variableKeyProblem } from '@paddock/contract/rules';

export interface ParsedEnv {
  /** The last value of each name, in the order of first mention. */
  variables: { key: string; value: string }[];
  problems: { line: number; message: string }[];
}

const assignment = /^\s*(?:export\s+)?([^\s=]+)\s*=\s*(.*)$/;

/**
 * Reads a pasted .env block: comments, `export`, bare, 'single' and "double" quoted values, these over several lines and with
 * \n, \r, \t, \\ and \". Nothing is expanded: `$NAME` stays as it stands.
 */
export function parseEnv(text: string): ParsedEnv {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const values = new Map<string, string>();
  const problems: ParsedEnv['problems'] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] as string;
    if (/^\s*(#|$)/.test(line)) continue;
    const number = at + 1;
    const [, key, rest] = assignment.exec(line) ?? [];
    if (key === undefined || rest === undefined) {
      problems.push({ line: number, message: 'Expected NAME=value' });
      continue;
    }
    const read = readValue(lines, at, rest);
    if (read === null) {
      problems.push({ line: number, message: `The quote that opens the value of ${key} is never closed` });
      continue;
    }
    at = read.end;
    const problem = variableKeyProblem(key);
    if (problem) problems.push({ line: number, message: problem });
    else values.set(key, read.value);
  }
  return { variables: [...values].map(([key, value]) => ({ key, value })), problems };
}

/** The value that starts on line `at`, and the line it ends on; null when its quote is never closed. */
function readValue(lines: readonly string[], at: number, rest: string): { value: string; end: number } | null {
  const quote = rest[0];
  if (quote !== '"' && quote !== "'") return { value: rest.replace(/(^|\s)#.*$/, '').trimEnd(), end: at };
  const close = quote === '"' ? /^((?:[^"\\]|\\.)*)"\s*(?:#.*)?$/s : /^([^']*)'\s*(?:#.*)?$/;
  let body = rest.slice(1);
  // A value may be 32 KB; more lines than that it cannot have, and the closing quote is looked for on the last line only.
  for (let end = at; end < lines.length && body.length <= 64 * 1024; end += 1, body += `\n${lines[end]}`) {
    const value = end === at || lines[end]?.includes(quote) ? close.exec(body)?.[1] : undefined;
    if (value !== undefined) return { value: quote === '"' ? unescape(value) : value, end };
  }
  return null;
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t' };
const unescape = (value: string) =>
  value.replace(/\\(.)/gs, (_, char: string) => escapes[char] ?? (char === '"' || char === '\\' ? char : `\\${char}`));
