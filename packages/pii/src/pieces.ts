// Splits a text into pieces that are searched separately: the values of JSON documents in it, each with its key, and the text between them.

import type { Place } from './find-in-text.ts';
import { decode, undecode } from './json/decode.ts';
import { type Leaf, walkJson } from './json/walk.ts';
import { type Cell, findTable, type Table } from './tables.ts';

export interface Piece extends Place {
  text: string;
  /** A number without quotes, whose mask needs quotes. */
  isBare: boolean;
  /** A key, which may contain addresses and numbers but no names. */
  isKey: boolean;
  /** The number of nested JSON strings around it. Its mask is escaped once for each. */
  levels: number;
  /** The start of the piece in `outer`, or in the whole text if there is no outer piece. */
  start: number;
  /** Its escapes, as `decode` marks them. */
  marks: readonly number[] | undefined;
  outer: Piece | undefined;
}

/** Maximum nesting: a string may be a document (arguments of a tool) that contains another. */
const DEEPEST = 3;
/** Shorter texts are not treated as documents: `{}` is empty, and `[1]` is more often a reference in prose. */
const SHORTEST_DOCUMENT = 6;
const BLANK = /^\s*$/;

/** The pieces of a text, in order. A text without JSON is one piece. */
export function splitPieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  cut(wholePiece(text), pieces);
  return pieces;
}

/** A text that is not split. */
export const wholePiece = (text: string): Piece => ({
  text,
  key: undefined,
  parent: undefined,
  isPerson: false,
  isThing: false,
  isBare: false,
  isKey: false,
  levels: 0,
  start: 0,
  marks: undefined,
  outer: undefined,
});

/** The offset in the whole text for an offset in a piece. */
export function toWhole(piece: Piece, at: number): number {
  let offset = at;
  for (let one: Piece | undefined = piece; one; one = one.outer)
    offset = one.marks ? undecode(one.marks, one.start, offset) : one.start + offset;
  return offset;
}

function cut(piece: Piece, pieces: Piece[]): void {
  const { text } = piece;
  let textFrom = 0;
  const escapes = { next: -1 };
  const braces = { next: -1 };
  let open = documentFrom(text, 0);
  while (open !== -1) {
    const walk = walkJson(text, open, escapes);
    const isWorth = walk.leaves.length > 0 && (walk.isWhole || walk.leaves.length > 1);
    if (isWorth && isAlone(text, open, walk)) {
      addText(piece, { start: textFrom, end: open }, pieces);
      for (const leaf of walk.leaves) addLeaf({ outer: piece, leaf, mayHoldJson: mayHoldJson(text, leaf, braces) }, pieces);
      textFrom = walk.isWhole ? walk.end : endOfLast(walk.leaves);
    }
    open = documentFrom(text, Math.max(walk.end, open + 1));
  }
  if (textFrom === 0) cutTables(piece, pieces);
  else addText(piece, { start: textFrom, end: text.length }, pieces);
}

/** Splits text without JSON into the cells of its tables, and the text between the tables. */
function cutTables(piece: Piece, pieces: Piece[]): void {
  const { text } = piece;
  let from = 0;
  let table = text.includes('\n') ? findTable(text, 0) : undefined;
  while (table) {
    addText(piece, { start: from, end: table.start }, pieces);
    for (const cell of table.cells) addCell(piece, cell, { table, pieces });
    from = table.end;
    table = findTable(text, from);
  }
  if (from === 0) pieces.push(piece);
  else addText(piece, { start: from, end: text.length }, pieces);
}

function addCell(outer: Piece, { start, end, key }: Cell, { table, pieces }: { table: Table; pieces: Piece[] }): void {
  const text = outer.text.slice(start, end);
  const { isKey, levels } = outer;
  const { isPerson, isThing } = table;
  pieces.push({ text, key, parent: undefined, isPerson, isThing, isBare: false, isKey, levels, start, marks: undefined, outer });
}

const endOfLast = (leaves: Leaf[]) => leaves.at(-1)!.end;

/** Whether nothing else is beside a string or a number; only then is it a document. */
function isAlone(text: string, open: number, walk: { end: number; isWhole: boolean }): boolean {
  const code = text.charCodeAt(open);
  return code === 123 || code === 91 || (walk.isWhole && BLANK.test(text.slice(walk.end, walk.end + 64)) && text.length - walk.end <= 64);
}

/** The possible start of the next document: `{` before a quote, `[` before a quote or a brace, or anything at the very beginning. */
function documentFrom(text: string, from: number): number {
  if (from === 0) {
    const first = skipSpace(text, 0);
    const code = text.charCodeAt(first);
    const isValue = code === 123 || code === 91 || code === 34 || code === 45 || (code >= 48 && code <= 57);
    if (text.length >= SHORTEST_DOCUMENT && isValue) return first;
  }
  let brace = text.indexOf('{', from);
  while (brace !== -1 && text.charCodeAt(skipSpace(text, brace + 1)) !== 34) brace = text.indexOf('{', brace + 1);
  return withList(text, from, brace);
}

/** The start of the list if this is its first object, otherwise the object. */
function withList(text: string, from: number, brace: number): number {
  if (brace === -1) return -1;
  let at = brace - 1;
  while (at >= from && at > brace - 16 && isSpace(text.charCodeAt(at))) at--;
  return at >= from && text.charCodeAt(at) === 91 ? at : brace;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < from + 64 && isSpace(text.charCodeAt(at))) at++;
  return at;
}

const isSpace = (code: number) => code === 32 || code === 10 || code === 13 || code === 9;

function addText(outer: Piece, { start, end }: { start: number; end: number }, pieces: Piece[]): void {
  if (end - start < 2 || (end - start < 64 && BLANK.test(outer.text.slice(start, end)))) return;
  const { key, parent, isPerson, isThing, isKey, levels } = outer;
  const text = outer.text.slice(start, end);
  pieces.push({ text, key, parent, isPerson, isThing, isBare: false, isKey, levels, start, marks: undefined, outer });
}

function addLeaf({ outer, leaf, mayHoldJson }: { outer: Piece; leaf: Leaf; mayHoldJson: boolean }, pieces: Piece[]): void {
  const { kind, start, end, around } = leaf;
  if (end - start < SHORTEST[kind] || isDull(outer.text, leaf)) return;
  const decoded = leaf.hasEscapes ? decode(outer.text, start, end) : undefined;
  const isKey = kind === 'key';
  const isBare = kind === 'number';
  const piece: Piece = {
    text: decoded ? decoded.text : outer.text.slice(start, end),
    key: isKey ? undefined : keyOf(leaf),
    parent: isKey ? undefined : leaf.parent,
    isPerson: around?.isPerson === true,
    isThing: around?.isThing === true,
    isBare,
    isKey,
    levels: isBare ? outer.levels : outer.levels + 1,
    start,
    marks: decoded?.marks,
    outer,
  };
  if (kind === 'string' && piece.levels < DEEPEST && end - start >= SHORTEST_DOCUMENT && mayHoldJson) cut(piece, pieces);
  else pieces.push(piece);
}

/** Whether the leaf is one lower-case word under a key that only machines read: `"role":"assistant"`. */
function isDull(text: string, { kind, start, end, key }: Leaf): boolean {
  if (kind !== 'string' || end - start > LONGEST_DULL || key === undefined || !DULL.has(key)) return false;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if ((code < 97 || code > 122) && code !== 95 && code !== 45) return false;
  }
  return true;
}

const LONGEST_DULL = 24;
const DULL = new Set('type role object status state event method level kind format model finish_reason unit currency locale'.split(' '));

/** Shorter leaves cannot contain a value. */
const SHORTEST = { string: 1, number: 6, key: 6 };

function keyOf({ key, around }: Leaf): string | undefined {
  return around?.label !== undefined && key !== undefined && VALUES.has(key) ? around.label : key;
}

const VALUES = new Set(['value', 'val', 'answer', 'values']);

/** Whether a string has a brace, or begins like a list. The next brace is searched once for all leaves. */
function mayHoldJson(text: string, { start, end }: Leaf, braces: { next: number }): boolean {
  if (braces.next < start) {
    const next = text.indexOf('{', start);
    braces.next = next === -1 ? Number.POSITIVE_INFINITY : next;
  }
  return braces.next < end || text.charCodeAt(start) === 91;
}
