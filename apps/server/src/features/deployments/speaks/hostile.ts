import { shownText } from '@paddock/contract/terminal-text';

/** What is read of an agent's JSON: each reader takes anything, and gives bounded texts that a page may show. */

export type Fields = Record<string, unknown>;

export const most = { items: 60, name: 120, description: 400, path: 500, example: 4_000, fields: 16, choices: 30 } as const;

export const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** An own field: names come from the agent, too, and `__proto__` is one. */
export const at = (fields: Fields | undefined, name: string): unknown => (fields && Object.hasOwn(fields, name) ? fields[name] : undefined);

/** One line; empty for what is no text. */
export const textOf = (value: unknown, maxLength: number): string => (typeof value === 'string' ? shownText(value, maxLength) : '');

/** A path that a request may be sent to; undefined for all else. */
export const pathOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= most.path && /^\/[!-"$-~]*$/.test(value) ? value : undefined;

/** The path of an address that the agent tells. Its host counts for nothing: requests go to the agent alone. */
export function pathOfUrl(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 2_000 || !URL.canParse(value, 'http://agent')) return undefined;
  return pathOf(new URL(value, 'http://agent').pathname);
}
