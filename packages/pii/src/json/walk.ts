// Walks a JSON document in its own text without building it. Finds its strings, numbers and keys, and the keys above them.
import { detectSubject } from '../context/keys.ts';

/** Facts shared by the values of one object; complete when the walk has ended. */
interface WalkContext {
  isPerson: boolean;
  isThing: boolean;
  /** The label of `value` in `{"name": "phone", "value": …}`. */
  label?: string;
}

export interface Leaf {
  kind: 'string' | 'number' | 'key';
  /** Bounds without the quotes. */
  start: number;
  end: number;
  hasEscapes: boolean;
  key: string | undefined;
  parent: string | undefined;
  around: WalkContext | undefined;
}

export interface Walk {
  leaves: Leaf[];
  /** The position after the document, or at which it stops being JSON. */
  end: number;
  isWhole: boolean;
}

interface Frame {
  isObject: boolean;
  /** The key of the object or list. */
  name: string | undefined;
  /** The key of the next value. */
  key: string | undefined;
  around: WalkContext;
}

const DEEPEST = 256;
const LONGEST_KEY = 128;
const LABELS = new Set(['name', 'key', 'field', 'label', 'column', 'question', 'attribute', 'id']);
const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const COLON = 58;
const LITERALS = ['true', 'false', 'null'];

/** The next backslash of a text, searched once for all walks over it. */
export interface Escapes {
  next: number;
}

/** Walks from the first character of a value. It stops at the first character that is invalid there. */
export function walkJson(text: string, from: number, escapes: Escapes): Walk {
  const leaves: Leaf[] = [];
  const frames: Frame[] = [];
  let at = from;
  /** The position after the closing quote of the string; undefined if there is none. */
  const endOfString = (open: number): number | undefined => {
    const end = text.indexOf('"', open + 1);
    const escape = escapeFrom(text, open, escapes);
    const last = escape < end ? endWithEscapes(text, escape) : end;
    return last === -1 ? undefined : last + 1;
  };
  const addText = (kind: 'string' | 'key', open: number, end: number) => {
    const frame = frames.at(-1);
    const hasEscapes = escapeFrom(text, open, escapes) < end;
    const leaf: Leaf = { kind, start: open + 1, end: end - 1, hasEscapes, key: frame?.key, parent: frame?.name, around: frame?.around };
    leaves.push(leaf);
    return leaf;
  };
  const stop = (isWhole: boolean): Walk => ({ leaves, end: at, isWhole });

  for (;;) {
    // The start of a value.
    at = skipSpace(text, at);
    const code = text.charCodeAt(at);
    if (code === 123 || code === 91) {
      if (frames.length >= DEEPEST) return stop(false);
      const outer = frames.at(-1);
      const isObject = code === 123;
      const name = outer?.key;
      frames.push(createFrame(isObject, name, outer?.name));
      at = skipSpace(text, at + 1);
      if (text.charCodeAt(at) !== (isObject ? 125 : 93)) {
        if (isObject && !readKey()) return stop(false);
        continue;
      }
    } else if (code === QUOTE) {
      const end = endOfString(at);
      if (end === undefined) return stop(false);
      noteLabel(text, addText('string', at, end));
      at = end;
    } else {
      const end = endOfPlain(text, at);
      if (end === at) return stop(false);
      const frame = frames.at(-1);
      const isNumber = code < 58;
      if (isNumber)
        leaves.push({ kind: 'number', start: at, end, hasEscapes: false, key: frame?.key, parent: frame?.name, around: frame?.around });
      at = end;
    }
    // After a value: closes the objects and lists around it, then reads a comma.
    for (;;) {
      const frame = frames.at(-1);
      if (!frame) return stop(true);
      at = skipSpace(text, at);
      const next = text.charCodeAt(at);
      if (next === COMMA) {
        at++;
        if (frame.isObject && !readKey()) return stop(false);
        break;
      }
      if (next !== (frame.isObject ? 125 : 93)) return stop(false);
      at++;
      frames.pop();
    }
  }

  function readKey(): boolean {
    const open = skipSpace(text, at);
    if (text.charCodeAt(open) !== QUOTE) return false;
    const end = endOfString(open);
    if (end === undefined) return false;
    const colon = skipSpace(text, end);
    if (text.charCodeAt(colon) !== COLON) return false;
    const frame = frames.at(-1)!;
    frame.key = text.slice(open + 1, Math.min(end - 1, open + 1 + LONGEST_KEY));
    if (mayBeValue(frame.key)) addText('key', open, end);
    noteSubject(frame.around, frame.key);
    at = colon + 1;
    return true;
  }
}

/** The values of a list get the list's key. */
const createFrame = (isObject: boolean, key: string | undefined, listName: string | undefined): Frame => ({
  isObject,
  name: isObject ? key : listName,
  key: isObject ? undefined : key,
  around: { isPerson: false, isThing: false },
});

function noteSubject(around: WalkContext, key: string): void {
  const subject = detectSubject(key);
  if (subject === 'person') around.isPerson = true;
  else if (subject === 'thing') around.isThing = true;
}

/** Whether a key may itself be personal data: it has an @ or several digits. */
function mayBeValue(key: string): boolean {
  let digits = 0;
  for (let at = 0; at < key.length; at++) {
    const code = key.charCodeAt(at);
    if (code === 64 || code === BACKSLASH) return true;
    if (code >= 48 && code <= 57) digits++;
  }
  return digits >= 6;
}

function noteLabel(text: string, { key, around, start, end }: Leaf): void {
  if (around && key !== undefined && end - start < 64 && LABELS.has(key)) around.label = text.slice(start, end);
}

function skipSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return at;
    at++;
  }
}

function escapeFrom(text: string, from: number, escapes: Escapes): number {
  if (escapes.next < from) {
    const found = text.indexOf('\\', from);
    escapes.next = found === -1 ? Number.POSITIVE_INFINITY : found;
  }
  return escapes.next;
}

/** The closing quote of a string whose first escape is at `escape`; -1 if there is none. */
function endWithEscapes(text: string, escape: number): number {
  let at = escape;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    at += code === BACKSLASH ? 2 : 1;
  }
  return -1;
}

/** The position after a number or a literal; `start` itself if there is neither. */
function endOfPlain(text: string, start: number): number {
  const code = text.charCodeAt(start);
  if ((code >= 48 && code <= 57) || code === 45) {
    let end = start + 1;
    while (isInNumber(text.charCodeAt(end))) end++;
    return end;
  }
  const literal = LITERALS.find((one) => text.startsWith(one, start));
  return start + (literal?.length ?? 0);
}

const isInNumber = (code: number) => (code >= 48 && code <= 57) || code === 46 || code === 43 || code === 45 || code === 69 || code === 101;
