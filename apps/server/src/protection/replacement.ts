// Loaded only by threads, because the detector's word lists take memory.
import { type PiiType, redact, tokeniser } from '@paddock/pii';
import type { Masking } from './masking.ts';

/** The replacement of a value. */
export function createReplacement({ tokenised, key }: Masking): (type: PiiType, value: string) => string {
  const token = tokeniser(key);
  const placeholder = (type: PiiType) => redact('-', [{ type, start: 0, end: 1, score: 1 }]);
  return (type, value) => (tokenised.includes(type) ? token(type, value) : placeholder(type));
}
