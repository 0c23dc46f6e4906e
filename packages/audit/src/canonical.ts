import type { Json } from './event.ts';

/**
 * JSON as RFC 8785 writes it: keys sorted by UTF-16 code units, no blanks. Text that is not well-formed is repaired, since it has no
 * standard encoding.
 */
export function canonical(value: Json): string {
  if (typeof value === 'string') return JSON.stringify(value.isWellFormed() ? value : value.toWellFormed());
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const keys = Object.keys(value).toSorted(byCodeUnits);
  return `{${keys.map((key) => `${canonical(key)}:${canonical(value[key]!)}`).join(',')}}`;
}

function byCodeUnits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
