import type { Span } from '@paddock/contract';
import { shownText } from '@paddock/contract/terminal-text';

/** Maximum number of characters shown of a value, and of its lines or members. */
export const maxShown = 2000;
const maxParts = 100;

/** A value as text: a string with its lines, a list with one member per line. */
export function attributeText(value: Span['attributes'][string]): string {
  const parts = Array.isArray(value)
    ? value.map(String)
    : String(value)
        .slice(0, 8 * maxShown)
        .split('\n');
  const shown = parts.slice(0, maxParts).map((part) => shownText(part, maxShown));
  return parts.length > maxParts ? [...shown, '…'].join('\n') : shown.join('\n');
}
