// The words of words.gen.ts in a form that is small and fast to read. README.md names their sources.

/** Facts about a word, as bits. */
export const knownWord = { first: 1, commonFirst: 2, last: 4, everyday: 8, rareWord: 16, mostlyLast: 32 } as const;

/**
 * Each entry is a capital for its bits, a digit for the number of letters that it shares with the entry before, and its other letters:
 * "Banna" "B4bel" are "anna" and "annabel", both with the bits of B.
 */
export function encodeWords(flags: ReadonlyMap<string, number>): string {
  const kinds = [...new Set(flags.values())].sort((a, b) => a - b);
  if (kinds.length > 26) throw new Error(`There are ${kinds.length} kinds of words; letters are enough for 26.`);
  let before = '';
  let entries = '';
  for (const word of [...flags.keys()].sort()) {
    let shared = 0;
    while (shared < 9 && shared < word.length && word[shared] === before[shared]) shared++;
    entries += `${String.fromCharCode(65 + kinds.indexOf(flags.get(word)!))}${shared}${word.slice(shared)}`;
    before = word;
  }
  return `// Made by test/make-lists.ts: do not edit. README.md names the sources and their licences.
export const kinds = [${kinds.join(', ')}];
export const entries =
  "${entries}";
`;
}

/** The table of known words. Words are found by a 32-bit hash, so about one unknown word in 100,000 counts as known. */
export interface WordTable {
  /** The bits of the word with this hash; 0 for an unknown word. */
  find(hash: number): number;
}

const slots = 1 << 17;
export const emptyHash = 0x811c9dc5;
/** FNV-1a: adds one letter to a hash. */
export const hashOn = (hash: number, code: number) => Math.imul(hash ^ code, 0x01000193);

/** Hashes are computed while the entries are read, so no word becomes a string. The table is ready in about two milliseconds. */
export function readWords(kinds: readonly number[], entries: string): WordTable {
  const hashes = new Int32Array(slots);
  const bits = new Uint8Array(slots);
  /** Hashes of the word's prefixes, by their length. */
  const prefixes = new Int32Array(32).fill(emptyHash);
  let at = 0;
  while (at < entries.length) {
    const kind = kinds[entries.charCodeAt(at) - 65]!;
    let length = entries.charCodeAt(at + 1) - 48;
    at += 2;
    for (; at < entries.length && !isCapital(entries.charCodeAt(at)); at++, length++)
      prefixes[length + 1] = hashOn(prefixes[length]!, entries.charCodeAt(at));
    let slot = slotOf(prefixes[length]!);
    while (bits[slot]) slot = (slot + 1) % slots;
    hashes[slot] = prefixes[length]!;
    bits[slot] = kind;
  }
  return {
    find(hash) {
      let slot = slotOf(hash);
      while (bits[slot] && hashes[slot] !== hash) slot = (slot + 1) % slots;
      return bits[slot]!;
    },
  };
}

const slotOf = (hash: number) => (hash ^ (hash >>> 15)) & (slots - 1);
const isCapital = (code: number) => code >= 65 && code <= 90;
