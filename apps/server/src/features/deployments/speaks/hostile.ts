import { shownText } from '@paddock/contract/terminal-text';

/** Readers of an agent's JSON: each one accepts any value, and returns bounded texts that a page may show. */

export type Fields = Record<string, unknown>;

export const most = { items: 60, name: 120, description: 400, path: 500, example: 4_000, fields: 16, choices: 30 } as const;

export const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Own fields only: names come from the agent too, and may be `__proto__`. */
export const at = (fields: Fields | undefined, name: string): unknown => (fields && Object.hasOwn(fields, name) ? fields[name] : undefined);

/** The value as a single line; empty if it is no text. */
export const textOf = (value: unknown, maxLength: number): string => (typeof value === 'string' ? shownText(value, maxLength) : '');

/** A valid request path; undefined for anything else. */
export const pathOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= most.path && /^\/[!-"$-~]*$/.test(value) ? value : undefined;

/** The path of an address named by the agent. Its host is ignored: requests go to the agent alone. */
export function pathOfUrl(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 2_000 || !URL.canParse(value, 'http://agent')) return undefined;
  return pathOf(new URL(value, 'http://agent').pathname);
}
