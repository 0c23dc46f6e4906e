import { createHmac } from 'node:crypto';
import { placeholder, type Replacement } from './redact.ts';
import type { PiiType } from './types.ts';

const LENGTH = 8;
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';
/** Types whose values are compared by their digits alone. */
const BY_DIGITS: ReadonlySet<PiiType> = new Set(['Phone', 'SSN', 'Credit Card']);

/**
 * Replaces a value by its type and a token: `[EMAIL:7fk2q9xw]`. The same value gets the same token under the same key, in any notation
 * (`Ada@Example.com`, `+1 212-555-0100`). Without the key nobody can find the value by trying. A user who can have values tokenised under
 * the key can: trying every SSN takes a second.
 */
export function tokeniser(key: Uint8Array): Replacement {
  return (type, value) => {
    const digest = createHmac('sha256', key)
      .update(`${type}\0${normalise(type, value)}`)
      .digest();
    let token = '';
    for (let at = 0; at < LENGTH; at++) token += LETTERS[digest[at]! & 31];
    return `${placeholder(type, value).slice(0, -1)}:${token}]`;
  };
}

/**
 * The key of one project's tokens, derived from the installation's. If another project's agent tokenises every possible value, its tokens
 * match none of this project's.
 */
export const projectTokenKey = (installationKey: Uint8Array, project_id: string): Buffer =>
  createHmac('sha256', installationKey).update(`project tokens\0${project_id}`).digest();

function normalise(type: PiiType, value: string): string {
  const plain = value.normalize('NFKC').toLowerCase();
  if (!BY_DIGITS.has(type)) return plain.split(/\s+/).filter(Boolean).join(' ');
  return plain.replace(/\D/g, '');
}
