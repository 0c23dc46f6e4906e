import { type Document, isMap, isScalar, LineCounter, type Node, type Pair, parse, parseDocument, visit, type YAMLMap } from 'yaml';

/**
 * The parser reads some texts, such as blanks at the end of a line, once for each character. The file and its lines are therefore bounded.
 */
const maxCharacters = 64 * 1024;
const maxLineCharacters = 4 * 1024;

/** Position and reason if a text is too long to be read as YAML; null for other texts. */
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

/** By default the parser compares each key with all others, and formats the lines around each of thousands of errors. */
const options = { uniqueKeys: false, prettyErrors: false } as const;

/** Reads a text as YAML. Throws if the text is not YAML or is too long. */
export function parseYaml(source: string): unknown {
  const long = tooLong(source);
  if (long !== null) throw new Error(long.why);
  return parse(source, { ...options, logLevel: 'error' });
}

/** The text has aliases, which the caller does not accept. */
export class AliasError extends Error {}

/**
 * Reads YAML on a shared thread. Throws an `AliasError` if the text has aliases, since the parser reads the whole text again for each
 * alias.
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

/** A text as YAML with the places of its parts. Keys may be repeated. */
export function openYaml(source: string) {
  const lines = new LineCounter();
  const document = parseDocument(source, { ...options, lineCounter: lines, merge: false });
  return { document, placeOf: (offset: number) => lines.linePos(offset) };
}

/** The key of each pair as text with its position. `repeated` if the same key occurs before it. */
export function* readPairs(map: YAMLMap): Generator<{ key: string; offset: number; value: Node | null; repeated: boolean }> {
  const seen = new Set<string>();
  for (const pair of map.items as Pair<Node, Node | null>[]) {
    const key = isScalar(pair.key) ? String(pair.key.value) : '';
    yield { key, offset: pair.key.range?.[0] ?? 0, value: pair.value, repeated: seen.has(key) };
    seen.add(key);
  }
}

export { type Document, isMap, isScalar, type Node };
