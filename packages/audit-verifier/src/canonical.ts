import { Malformed } from './failures.ts';

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type JsonObject = { [name: string]: Json };

/** Canonical JSON (RFC 8785). Throws `Malformed` for text with lone surrogates and for numbers that are not finite. */
export function canonical(value: Json): string {
  if (typeof value === 'string') return formatText(value);
  if (typeof value === 'number') return formatNumber(value);
  if (value === null || typeof value === 'boolean') return String(value);
  const parts: string[] = [];
  if (Array.isArray(value)) {
    for (const each of value) parts.push(canonical(each));
    return `[${parts.join(',')}]`;
  }
  // The default order of sort() is that of UTF-16 code units, which the RFC requires.
  for (const name of Object.keys(value).sort()) parts.push(`${formatText(name)}:${canonical(value[name] as Json)}`);
  return `{${parts.join(',')}}`;
}

/** JSON.stringify escapes exactly the characters that the RFC requires. */
function formatText(text: string): string {
  if (!text.isWellFormed()) throw new Malformed('A text has half of a surrogate pair.');
  return JSON.stringify(text);
}

function formatNumber(value: number): string {
  if (!Number.isFinite(value)) throw new Malformed('A number is too large.');
  return JSON.stringify(value);
}
