import type { Span } from '@paddock/contract';
import { shownText } from '@paddock/contract/terminal-text';

/** Letters of a value, and lines or members of it. */
export const maxShown = 2000;
const maxParts = 100;

/** A value as it was sent: a text with its lines, a list with its members one below the other. */
export function attributeText(value: Span['attributes'][string]): string {
  const parts = Array.isArray(value)
    ? value.map(String)
    : String(value)
        .slice(0, 8 * maxShown)
        .split('\n');
  const shown = parts.slice(0, maxParts).map((part) => shownText(part, maxShown));
  return parts.length > maxParts ? [...shown, '…'].join('\n') : shown.join('\n');
}
