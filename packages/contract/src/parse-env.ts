import { variableKeyProblem } from './rules.ts';

export interface ParsedEnv {
  /** The last value of each name, in the order of first occurrence. */
  variables: { key: string; value: string }[];
  problems: { line: number; message: string }[];
}

const assignment = /^\s*(?:export\s+)?([^\s=]+)[^\S\n]*=[^\S\n]*/;
/** A value may have 32 KB, and each of its characters may be escaped in quotes. */
const quotedMax = 64 * 1024;

/**
 * Reads a pasted .env block: comments, `export`, bare, 'single' and "double" quoted values. Double-quoted values may span several lines and
 * contain \n, \r, \t, \\ and \". Variables are not expanded: `$NAME` is kept unchanged.
 */
export function parseEnv(pasted: string): ParsedEnv {
  const text = pasted.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const values = new Map<string, string>();
  const problems: ParsedEnv['problems'] = [];
  let at = 0;
  for (let line = 1; at < text.length; ) {
    const end = lineEnd(text, at);
    const read = readLine(text, at, end);
    if (read && 'message' in read) problems.push({ line, message: read.message });
    if (read && 'key' in read) {
      const problem = variableKeyProblem(read.key);
      if (problem) problems.push({ line, message: problem });
      else values.set(read.key, read.value);
    }
    const next = (read && 'end' in read ? read.end : end) + 1;
    for (; at < next; at += 1) if (text[at] === '\n') line += 1;
  }
  return { variables: [...values].map(([key, value]) => ({ key, value })), problems };
}

/** Reads a line; null for an empty line or a comment. `end` is the end of the last line of the value. */
function readLine(text: string, at: number, end: number): { key: string; value: string; end: number } | { message: string } | null {
  const line = text.slice(at, end);
  if (/^\s*(#|$)/.test(line)) return null;
  const [assigned, key] = assignment.exec(line) ?? [];
  if (assigned === undefined || key === undefined) return { message: 'Expected NAME=value' };
  const from = at + assigned.length;
  const quote = text[from];
  if (quote !== '"' && quote !== "'")
    return {
      key,
      value: withoutComment(line.slice(assigned.length)).trimEnd(),
      end,
    };

  const close = closingQuote(text, from, quote);
  if (close < 0) return { message: `The quote that opens the value of ${key} is never closed` };
  const closeEnd = lineEnd(text, close);
  if (!/^\s*(#|$)/.test(text.slice(close + 1, closeEnd))) return { message: `After the value of ${key} stands more text` };
  const value = text.slice(from + 1, close);
  return { key, value: quote === '"' ? unescape(value) : value, end: closeEnd };
}

function closingQuote(text: string, from: number, quote: string): number {
  const until = Math.min(text.length, from + quotedMax);
  for (let at = from + 1; at < until; at += 1) {
    if (text[at] === '\\' && quote === '"') at += 1;
    else if (text[at] === quote) return at;
  }
  return -1;
}

/** A `#` begins a comment at the start of a value or after a blank. */
function withoutComment(value: string): string {
  for (let at = value.indexOf('#'); at >= 0; at = value.indexOf('#', at + 1))
    if (at === 0 || /\s/.test(value[at - 1]!)) return value.slice(0, at);
  return value;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' };
const unescape = (value: string) => value.replace(/\\(.)/gs, (whole, char: string) => escapes[char] ?? whole);
