import type { Json } from '@paddock/audit';
import { searchedPieces } from './forms.ts';

/** Replacement of a secret, as in build logs. */
export const BLANK = '***';
/** A shorter beginning or end of a secret occurs in ordinary text by chance. */
const MIN_REST = 6;
/** A deployment's telemetry credential, `dep_….code`; each deployment has its own, and nothing else has this shape. */
const credential = String.raw`dep_[\da-f-]{36}\.[\w-]{43}`;

/** An address of a database with its login, which a library may quote without the middle: its secret is in no list then. */
const login = String.raw`(?:postgres(?:ql)?(?:\+\w{1,20})?|rediss?|mysql(?:\+\w{1,20})?|mariadb|mongodb(?:\+srv)?|amqps?):\/\/[^\s@\/'"]{1,300}@`;

export type Blanking = ReturnType<typeof createBlanking>;

/** Blanks an agent's secrets in its texts, in one pass. */
export function createBlanking(secrets: readonly string[]) {
  const pieces = searchedPieces(secrets);
  const source = [credential, ...alternatives(pieces), login].join('|');
  const pattern = new RegExp(source, 'g');
  const anywhere = new RegExp(source);
  const text = (value: string): string => {
    const blanked = value.replace(pattern, blankFor);
    return blanked === value ? value : joined(blanked);
  };

  /** Whether no string, name or number of the value contains a secret; false if it cannot be told from the value's JSON, which may escape one. */
  function isFree(value: Json): boolean {
    const written = JSON.stringify(value);
    return !written.includes('\\') && !anywhere.test(written);
  }

  /** Blanks each string, name and number of a value; returns the same object if nothing is found. */
  function json(value: Json): Json {
    return isFree(value) ? value : blankEach(value);
  }

  function blankEach(value: Json): Json {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number') return text(String(value)) === String(value) ? value : BLANK;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      const blanked = value.map(blankEach);
      return blanked.some((each, at) => each !== value[at]) ? blanked : value;
    }
    const entries = Object.entries(value).map(([key, inner]): [string, Json] => [text(key), blankEach(inner)]);
    return entries.some(([key, inner]) => !Object.hasOwn(value, key) || inner !== value[key]) ? Object.fromEntries(entries) : value;
  }

  return {
    text,
    json,
    /** For a text that was cut at its end: a secret's beginning there is blanked too. */
    beginning: (value: string): string => withoutRest(text(value), (rest) => pieces.some((piece) => piece.startsWith(rest)), 'end'),
    /** For a text that was cut at its beginning. */
    ending: (value: string): string => withoutRest(text(value), (rest) => pieces.some((piece) => piece.endsWith(rest)), 'start'),
  };
}

/** Keeps the scheme of an address whose login is blanked. */
const blankFor = (found: string): string =>
  found.endsWith('@') && found.includes('://') ? `${found.slice(0, found.indexOf('://') + 3)}${BLANK}@` : BLANK;

/** Joins the blanks of a secret that was searched in pieces. */
const joined = (text: string): string => text.replaceAll(/(?:\*\*\*){2,}/g, BLANK);

function withoutRest(text: string, isPart: (rest: string) => boolean, side: 'start' | 'end'): string {
  for (let length = Math.min(64, text.length); length >= MIN_REST; length--) {
    const rest = side === 'end' ? text.slice(-length) : text.slice(0, length);
    if (isPart(rest)) return side === 'end' ? text.slice(0, -length) + BLANK : BLANK + text.slice(length);
  }
  return text;
}

type Trie = Map<string, Trie>;
const END = '';

/** The pieces as alternatives of a pattern with shared prefixes, so that each character of any text is checked at most 64 times. */
function alternatives(pieces: readonly string[]): string[] {
  const root: Trie = new Map();
  for (const piece of pieces) {
    let node = root;
    for (const character of piece) {
      const next = node.get(character) ?? (new Map() as Trie);
      node.set(character, next);
      node = next;
    }
    node.set(END, new Map());
  }
  return [...root].map(([character, node]) => escaped(character) + buildPatternSource(node));
}

/** Written without recursion over single characters: a piece may be long, and most of its nodes have one successor. */
function buildPatternSource(start: Trie): string {
  let source = '';
  let node = start;
  while (node.size === 1 && !node.has(END)) {
    const [[character, next]] = node as unknown as [[string, Trie]];
    source += escaped(character);
    node = next;
  }
  const branches = [...node]
    .filter(([character]) => character !== END)
    .map(([character, next]) => escaped(character) + buildPatternSource(next));
  if (branches.length === 0) return source;
  return `${source}(?:${branches.join('|')})${node.has(END) ? '?' : ''}`;
}

const escaped = (character: string): string => character.replace(/[\\^$.*+?()[\]{}|/-]/, String.raw`\$&`);
