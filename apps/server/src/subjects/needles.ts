import { piiTypes, tokeniser } from '@paddock/pii';

/** Identifiers of one person, in the forms in which they are looked for. */
export interface Needles {
  /** As they stand in a text. */
  plain: string[];
  /** Patterns for `ilike` over plain text, and over text within JSON. */
  inText: string[];
  inJson: string[];
  /** For `regexp_replace` with the flags `gi`, over plain text. */
  pattern: string;
  /** The same in JavaScript. */
  isIn: (text: string) => boolean;
  without: (text: string) => string;
}

/** What stands in the place of a value that was erased. */
export const erasedMark = '[ERASED]';

/**
 * Of each identifier the text itself and the tokens that it may have become. Letters count alike in any case. Everything that is special in a pattern
 * stands for itself.
 */
export function needlesOf(identifiers: readonly string[], tokenKey: Uint8Array): Needles {
  const tokenise = tokeniser(tokenKey);
  const plain = [...new Set(identifiers.flatMap((value) => [value, ...piiTypes.map((type) => tokenise(type, value))]))];
  const pattern = plain.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const regex = new RegExp(pattern, 'giu');
  return {
    plain,
    inText: plain.map(like),
    inJson: plain.map((text) => like(JSON.stringify(text).slice(1, -1))),
    pattern,
    isIn: (text) => text.search(regex) >= 0,
    without: (text) => text.replace(regex, erasedMark),
  };
}

const like = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
