import type { Finding } from './finding.ts';
import type { Gates } from './gates.ts';
import type { PiiType } from './types.ts';

/** A proposal of a rule. Overlaps and low scores are removed after all rules have run. */
export type Candidate = Finding;

/** A text as rules see it: look-alike characters are folded (fold.ts), and one pass has recorded which characters occur. */
export interface Scanned {
  text: string;
  gates: Gates;
  /** The original key of the value in its JSON object: `phone_number`, `clientIp`. */
  key?: string | undefined;
  /** The key of the object or list around the value. */
  parent?: string | undefined;
  /** The object around the value has a key of a person: an e-mail address, a phone number, a date of birth, a first name. */
  isPerson?: boolean | undefined;
  /** The object around the value has a key of a thing: a price, a stock, a brand. */
  isThing?: boolean | undefined;
}

/**
 * A rule must take linear time: it checks its gates first, walks the text once, and reads a bounded window around each candidate. Offsets
 * are those of `scanned.text`.
 */
export interface Rule {
  types: readonly PiiType[];
  /** Minimum digits of a text. The rule is skipped for texts with fewer. */
  digits?: number;
  find(scanned: Scanned): Candidate[];
}
