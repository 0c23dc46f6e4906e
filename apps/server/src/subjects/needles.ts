import { piiTypes, tokeniser } from '@paddock/pii';

/** A person's identifiers in the forms used for searches. */
export interface Needles {
  /** Patterns for `ilike` over plain text, and over text within JSON. */
  inText: string[];
  inJson: string[];
  /** Tokens of the identifiers, in lower case: thousands, so they are looked up (`holdsToken`) instead of searched one by one. */
  tokens: string[];
  /** For `regexp_replace` with the flags `gi`, over plain text. */
  pattern: string;
  /** The same in JavaScript. */
  isIn: (text: string) => boolean;
  without: (text: string) => string;
}

/** The replacement of an erased value. */
export const erasedMark = '[ERASED]';

const tokenPattern = /\[[a-z_]+:[a-z2-9]{8}\]/gi;

/**
 * Search forms of the plain identifiers, and of their tokens under any of the keys. Searches are case-insensitive. Special characters of patterns are
 * escaped.
 */
export function buildNeedles(identifiers: readonly string[], tokenKeys: readonly Uint8Array[]): Needles {
  const plain = [...new Set(identifiers)];
  const tokens = computeTokens(plain, tokenKeys);
  const pattern = plain.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const regex = new RegExp(pattern, 'giu');
  return {
    inText: plain.map(like),
    inJson: plain.map((text) => like(JSON.stringify(text).slice(1, -1))),
    tokens: [...tokens],
    pattern,
    isIn: (text) => text.search(regex) >= 0 || (text.match(tokenPattern) ?? []).some((token) => tokens.has(token.toLowerCase())),
    without: (text) =>
      text.replace(regex, erasedMark).replace(tokenPattern, (token) => (tokens.has(token.toLowerCase()) ? erasedMark : token)),
  };
}

function computeTokens(values: readonly string[], tokenKeys: readonly Uint8Array[]): Set<string> {
  const tokens = new Set<string>();
  for (const key of tokenKeys) {
    const tokenise = tokeniser(key);
    for (const value of values) for (const type of piiTypes) tokens.add(tokenise(type, value).toLowerCase());
  }
  return tokens;
}

const like = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
