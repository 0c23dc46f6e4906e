// Loaded by threads alone: the detector's lists of words take memory.
import { type PiiType, redact, tokeniser } from '@paddock/pii';
import type { Masking } from './masking.ts';

/** What is written in the place of a value. */
export function replacementOf({ tokenised, key }: Masking): (type: PiiType, value: string) => string {
  const token = tokeniser(key);
  const placeholder = (type: PiiType) => redact('-', [{ type, start: 0, end: 1, score: 1 }]);
  return (type, value) => (tokenised.includes(type) ? token(type, value) : placeholder(type));
}
