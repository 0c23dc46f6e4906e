// Tables in a text: lines of CSV or of Markdown whose first line names the columns. The name of a column is the key of its values.
import { isWordPart } from './characters.ts';
import { isOfPerson, isOfThing, keyBits } from './context/keys.ts';

export interface Cell {
  start: number;
  end: number;
  key: string;
}

export interface Table {
  /** The start of the line with the names. */
  start: number;
  /** The position after the last line of values. */
  end: number;
  cells: Cell[];
  isPerson: boolean;
  isThing: boolean;
}

interface Line {
  start: number;
  end: number;
}

interface Span {
  start: number;
  end: number;
}

const SEPARATORS = [',', ';', '\t', '|'];
const LONGEST_HEADER = 1024;
const LONGEST_NAME = 40;
const MOST_COLUMNS = 64;
/** A longer line is read as text. */
const LONGEST_ROW = 16_384;

/** The first table that begins at a line from the offset on. */
export function findTable(text: string, from: number): Table | undefined {
  let line: Line | undefined = lineAt(text, from);
  while (line) {
    const next = nextLine(text, line);
    if (next && line.end - line.start <= LONGEST_HEADER) {
      const table = readTable(text, line, next);
      if (table) return table;
    }
    line = next;
  }
  return undefined;
}

function readTable(text: string, header: Line, first: Line): Table | undefined {
  const separator = detectSeparator(text, header);
  if (separator === undefined || !text.slice(first.start, Math.min(first.end, first.start + LONGEST_ROW)).includes(separator))
    return undefined;
  const names = split(text, header, separator)?.map(({ start, end }) => text.slice(start, end));
  if (!names || names.length < 2 || !names.every(isName)) return undefined;
  if (!names.some((name) => keyBits(name) !== 0)) return undefined;
  const cells: Cell[] = [];
  let line: Line | undefined = first;
  let end = header.end;
  let rows = 0;
  while (line) {
    const row = split(text, line, separator);
    if (!row || row.length !== names.length) break;
    for (const [at, span] of row.entries()) if (span.end > span.start) cells.push({ ...span, key: names[at]! });
    end = line.end;
    rows++;
    line = nextLine(text, line);
  }
  return rows > 0 ? { start: header.start, end, cells, isPerson: names.some(isOfPerson), isThing: names.some(isOfThing) } : undefined;
}

/** The separator that occurs most in the line. */
function detectSeparator(text: string, { start, end }: Line): string | undefined {
  const line = text.slice(start, end);
  let best: { separator: string; count: number } | undefined;
  for (const separator of SEPARATORS) {
    const count = line.split(separator, MOST_COLUMNS + 1).length - 1;
    if (count > (best?.count ?? 0)) best = { separator, count };
  }
  return best?.separator;
}

/** Whether the cell is a column name: words that begin with a letter, not a sentence or a value. */
function isName(name: string): boolean {
  if (name.length === 0 || name.length > LONGEST_NAME || (name.charCodeAt(0) >= 48 && name.charCodeAt(0) <= 57)) return false;
  for (let at = 0; at < name.length; at++) if (!isWordPart(name.charCodeAt(at)) && !" -./#()'".includes(name[at]!)) return false;
  return true;
}

/**
 * The cells of a line without surrounding quotes and spaces; undefined if there are too many. Bars at both ends of a line do not create
 * cells.
 */
function split(text: string, line: Line, separator: string): Span[] | undefined {
  if (line.end - line.start > LONGEST_ROW) return undefined;
  const spans: Span[] = [];
  let at = line.start;
  while (at <= line.end) {
    const open = skipSpace(text, at, line.end);
    const isQuoted = text[open] === '"';
    const close = isQuoted ? endOfQuoted(text, open, line.end) : -1;
    const next = text.indexOf(separator, close === -1 ? at : close);
    const end = next === -1 || next > line.end ? line.end : next;
    spans.push(close === -1 ? trimmed(text, at, end) : { start: open + 1, end: close });
    if (spans.length > MOST_COLUMNS) return undefined;
    at = end + 1;
  }
  return separator === '|' ? withoutBars(spans) : spans;
}

function withoutBars(spans: Span[]): Span[] {
  const isEmpty = (span: Span | undefined) => span !== undefined && span.start === span.end;
  return spans.slice(isEmpty(spans[0]) ? 1 : 0, isEmpty(spans.at(-1)) ? -1 : undefined);
}

function endOfQuoted(text: string, open: number, last: number): number {
  let at = open + 1;
  while (at < last) {
    if (text[at] === '"') {
      if (text[at + 1] !== '"') return at;
      at++;
    }
    at++;
  }
  return -1;
}

function skipSpace(text: string, from: number, last: number): number {
  let at = from;
  while (at < last && text[at] === ' ') at++;
  return at;
}

function trimmed(text: string, from: number, to: number): Span {
  const start = skipSpace(text, from, to);
  let end = to;
  while (end > start && (text[end - 1] === ' ' || text[end - 1] === '\r')) end--;
  return { start, end };
}

function lineAt(text: string, start: number): Line {
  const end = text.indexOf('\n', start);
  return { start, end: end === -1 ? text.length : end };
}

const nextLine = (text: string, { end }: Line): Line | undefined => (end + 1 < text.length ? lineAt(text, end + 1) : undefined);
