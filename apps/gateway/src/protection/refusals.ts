import type { PiiType } from '@paddock/pii';
import type { Counts } from './redactor.ts';

/** Names of the found types that may not pass; undefined if there are none. Never contains a value. */
export function blockedDetail(found: Counts | undefined, blocked: readonly PiiType[]): string | undefined {
  const names = found === undefined ? [] : blocked.filter((type) => found[type] !== undefined);
  if (names.length === 0) return undefined;
  return `A policy of the agent’s owner does not let this pass. It holds: ${names.join(', ')}.`;
}

export const overrunDetail =
  'A policy of the agent’s owner wants this looked through for personal data before it passes, but it is too large, takes too long, or cannot be read.';
