// Decodes a JSON string to its text, with the position of each character.

import { collectCodes } from '../characters.ts';

export interface Decoded {
  text: string;
  /** After each escape: the offset in the decoded text, followed by the one in the document. Between two marks both advance equally. */
  marks: readonly number[];
}

const BACKSLASH = 92;
const SMALL_U = 117;
const SHORT: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Decodes the text between the quotes. An invalid escape is kept as it is written. */
export function decode(text: string, start: number, end: number): Decoded {
  const { marks, isPlain } = findMarks(text, start, end);
  return { text: (isPlain ? parsed(text, start, end) : undefined) ?? decodeByHand(text, start, end), marks };
}

/** The offset in the document for an offset in the decoded text. */
export function undecode(marks: readonly number[], start: number, at: number): number {
  let low = 0;
  let high = marks.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (marks[2 * middle]! <= at) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? start + at : marks[2 * low - 1]! + at - marks[2 * low - 2]!;
}

/** Decodes with Node's own parser, which is the fastest; undefined if it refuses the string. */
function parsed(text: string, start: number, end: number): string | undefined {
  try {
    return JSON.parse(text.slice(start - 1, end + 1)) as string;
  } catch {
    return undefined; // the string contains a line feed
  }
}

/** A string is plain if all its escapes are known. */
function findMarks(text: string, start: number, end: number): { marks: number[]; isPlain: boolean } {
  const marks: number[] = [];
  let isPlain = true;
  let shift = start;
  let at = text.indexOf('\\', start);
  while (at !== -1 && at + 1 < end) {
    const width = measureEscape(text, at, end);
    isPlain &&= width === 6 || (width === 2 && ESCAPES.has(text.charCodeAt(at + 1)));
    shift += width - 1;
    marks.push(at + width - shift, at + width);
    at = text.indexOf('\\', at + width);
  }
  return { marks, isPlain };
}

const ESCAPES = collectCodes('"\\/bfnrt');

function measureEscape(text: string, at: number, end: number): number {
  if (text.charCodeAt(at + 1) !== SMALL_U) return 2;
  return at + 6 <= end && parseHex(text, at + 2) !== undefined ? 6 : 1;
}

function decodeByHand(text: string, start: number, end: number): string {
  const parts: string[] = [];
  let from = start;
  let at = text.indexOf('\\', start);
  while (at !== -1 && at + 1 < end) {
    const width = measureEscape(text, at, end);
    parts.push(text.slice(from, at), decodeEscape(text, at, width));
    from = at + width;
    at = text.indexOf('\\', from);
  }
  return parts.join('') + text.slice(from, end);
}

function decodeEscape(text: string, at: number, width: number): string {
  if (width === 1) return String.fromCharCode(BACKSLASH);
  if (width === 6) return String.fromCharCode(parseHex(text, at + 2)!);
  return SHORT[text[at + 1]!] ?? text[at + 1]!;
}

function parseHex(text: string, at: number): number | undefined {
  const hex = text.slice(at, at + 4);
  return /^[\da-f]{4}$/i.test(hex) ? Number.parseInt(hex, 16) : undefined;
}
