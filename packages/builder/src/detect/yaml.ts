import { type Document, isMap, isScalar, LineCounter, type Node, type Pair, parse, parseDocument, visit, type YAMLMap } from 'yaml';

/** The parser goes through some texts, such as blanks at a line's end, once for each character: so neither may be long. */
const maxCharacters = 64 * 1024;
const maxLineCharacters = 4 * 1024;

/** Where a text is too long to be read as YAML, and why; null where it is not. */
export function tooLong(source: string): { offset: number; why: string } | null {
  if (source.length > maxCharacters) return { offset: maxCharacters, why: `the file is longer than ${maxCharacters / 1024} kB` };
  for (let start = 0; start <= source.length; ) {
    const end = source.indexOf('\n', start);
    if ((end === -1 ? source.length : end) - start > maxLineCharacters)
      return { offset: start + maxLineCharacters, why: `the line is longer than ${maxLineCharacters} characters` };
    if (end === -1) return null;
    start = end + 1;
  }
  return null;
}

/** The parser would compare each key with all others, and draw the lines around each of thousands of errors. */
const options = { uniqueKeys: false, prettyErrors: false } as const;

/** Reads a text as YAML; throws where it is none, or too long. */
export function parseYaml(source: string): unknown {
  const long = tooLong(source);
  if (long !== null) throw new Error(long.why);
  return parse(source, { ...options, logLevel: 'error' });
}

/** The text has aliases, and who reads it takes none. */
export class AliasError extends Error {}

/**
 * The same on a thread that serves everybody: with an `AliasError` where the text has aliases, for each of which the parser goes through
 * all of the text once more.
 */
export function parsePlainYaml(source: string): unknown {
  const long = tooLong(source);
  if (long !== null) throw new Error(long.why);
  const document = parseDocument(source, { ...options, logLevel: 'error' });
  const [error] = document.errors;
  if (error !== undefined) throw error;
  visit(document, {
    Alias: () => {
      throw new AliasError('The text has aliases.');
    },
  });
  return document.toJS();
}

/** A text as YAML with the places of its parts. Keys may stand in it twice. */
export function openYaml(source: string) {
  const lines = new LineCounter();
  const document = parseDocument(source, { ...options, lineCounter: lines, merge: false });
  return { document, placeOf: (offset: number) => lines.linePos(offset) };
}

/** The key of each pair as text with its place; `repeated` where the same key stands before it. */
export function* pairsOf(map: YAMLMap): Generator<{ key: string; offset: number; value: Node | null; repeated: boolean }> {
  const seen = new Set<string>();
  for (const pair of map.items as Pair<Node, Node | null>[]) {
    const key = isScalar(pair.key) ? String(pair.key.value) : '';
    yield { key, offset: pair.key.range?.[0] ?? 0, value: pair.value, repeated: seen.has(key) };
    seen.add(key);
  }
}

export { type Document, isMap, isScalar, type Node };
