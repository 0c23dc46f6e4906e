import type { Finding } from './finding.ts';
import type { Gates } from './gates.ts';
import type { PiiType } from './types.ts';

/** What a rule proposes. Overlaps and low scores are sorted out after all rules have spoken. */
export type Candidate = Finding;

/** A text as rules see it: look-alike characters are folded (fold.ts), and one pass has told which characters occur. */
export interface Scanned {
  text: string;
  gates: Gates;
  /** The key of the value in its JSON object, as it was written: `phone_number`, `clientIp`. */
  key?: string | undefined;
  /** The key of the object or list around the value. */
  parent?: string | undefined;
  /** The object around the value has a key of a person: an e-mail address, a phone number, a date of birth, a first name. */
  isPerson?: boolean | undefined;
  /** The object around the value has a key of a thing: a price, a stock, a brand. */
  isThing?: boolean | undefined;
}

/**
 * A rule promises linear time: it looks at its gates first, walks the text once, and looks at a bounded window around each candidate.
 * Offsets are those of `scanned.text`.
 */
export interface Rule {
  types: readonly PiiType[];
  /** A text with fewer digits holds nothing for it: it is not asked. */
  digits?: number;
  find(scanned: Scanned): Candidate[];
}
