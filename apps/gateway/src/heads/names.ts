/** Meanings of headers to the gateway. */
export const KEEP = 0;
/** Not forwarded. */
export const DROP = 1;
export const HOST = 2;
export const TRANSFER_ENCODING = 3;
export const CONTENT_LENGTH = 4;
export const CONNECTION = 5;
export const EXPECT = 6;
export const UPGRADE = 7;
export const TRACEPARENT = 8;
export const TRACESTATE = 9;
export const SET_COOKIE = 10;
export const ALLOW_CREDENTIALS = 11;
/** Forwarded like KEEP, but inspected. These come last so that one comparison recognises them. */
export const ALLOW_ORIGIN = 12;
export const DATE = 13;
export const CONTENT_TYPE = 14;
export const firstLookedAt = ALLOW_ORIGIN;

interface Named {
  name: string;
  meaning: number;
}

/** Meanings of names, looked up by a hash that is computed while the name is read, without cutting out or lower-casing text. */
export interface NameTable {
  /** By byte, its folded form for the hash and for comparisons. */
  folded: Uint8Array;
  byHash: Map<number, Named[]>;
  /** Lower-case prefixes of names that are not forwarded. */
  droppedPrefixes: readonly string[];
  /** By byte, whether a dropped prefix starts with it. */
  mayBePrefixed: Uint8Array;
}

const underscore = 95;
const dash = 45;

/** `likeCgi`: CGI-like servers cannot distinguish '_' from '-', so a name with '_' is dropped if its twin with '-' has a meaning. */
export function nameTable(names: [string, number][], droppedPrefixes: readonly string[], likeCgi: boolean): NameTable {
  const folded = new Uint8Array(256);
  for (let byte = 0; byte < 256; byte++) folded[byte] = byte >= 65 && byte <= 90 ? byte + 32 : byte;
  if (likeCgi) folded[underscore] = dash;
  const byHash = new Map<number, Named[]>();
  for (const [name, meaning] of names) {
    let hash = 0;
    for (let at = 0; at < name.length; at++) hash = nextHash(hash, name.charCodeAt(at));
    byHash.set(hash, [...(byHash.get(hash) ?? []), { name, meaning }]);
  }
  const mayBePrefixed = new Uint8Array(256);
  for (const prefix of droppedPrefixes) {
    mayBePrefixed[prefix.charCodeAt(0)] = 1;
    mayBePrefixed[prefix.toUpperCase().charCodeAt(0)] = 1;
  }
  return { folded, byHash, droppedPrefixes, mayBePrefixed };
}

export const nextHash = (hash: number, folded: number): number => (Math.imul(hash, 31) + folded) | 0;

/** A name within a text. */
interface Name {
  text: string;
  from: number;
  to: number;
}

/** The meaning of a name whose hash is known. */
export function findMeaning(table: NameTable, hash: number, name: Name): number {
  const candidates = table.byHash.get(hash);
  if (candidates !== undefined)
    for (const candidate of candidates)
      if (candidate.name.length === name.to - name.from && startsWith(table, name, candidate.name))
        return hasUnderscore(name) ? DROP : candidate.meaning;
  if (table.mayBePrefixed[name.text.charCodeAt(name.from)] === 1)
    for (const prefix of table.droppedPrefixes) if (startsWith(table, name, prefix)) return DROP;
  return KEEP;
}

function startsWith({ folded }: NameTable, { text, from, to }: Name, start: string): boolean {
  if (to - from < start.length) return false;
  for (let at = 0; at < start.length; at++) if (folded[text.charCodeAt(from + at)] !== start.charCodeAt(at)) return false;
  return true;
}

function hasUnderscore({ text, from, to }: Name): boolean {
  for (let at = from; at < to; at++) if (text.charCodeAt(at) === underscore) return true;
  return false;
}
