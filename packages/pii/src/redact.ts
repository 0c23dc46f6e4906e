import type { Finding } from './finding.ts';
import type { PiiType } from './types.ts';

/** Returns the text that replaces a value. */
export type Replacement = (type: PiiType, value: string) => string;

const PLACEHOLDERS: Record<PiiType, string> = {
  Email: '[EMAIL]',
  Phone: '[PHONE]',
  SSN: '[SSN]',
  'Credit Card': '[CREDIT_CARD]',
  Address: '[ADDRESS]',
  Name: '[NAME]',
  'IP Address': '[IP_ADDRESS]',
  'Date of Birth': '[DATE_OF_BIRTH]',
};

export const placeholder: Replacement = (type) => PLACEHOLDERS[type];

/**
 * The text with each finding replaced. The findings must ascend and not overlap, as `detect` returns them. JSON is not taken into account:
 * use `mask` to keep a document valid.
 */
export function redact(text: string, findings: readonly Finding[], replacement: Replacement = placeholder): string {
  let redacted = '';
  let from = 0;
  for (const { type, start, end } of findings) {
    redacted += text.slice(from, start) + replacement(type, text.slice(start, end));
    from = end;
  }
  return from === 0 ? text : redacted + text.slice(from);
}
