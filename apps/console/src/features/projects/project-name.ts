import { maxProjectNameLength } from '@paddock/contract/rules';

/** Reduces a typed or pasted name to lower case letters, digits and hyphens. */
export const keepNameCharacters = (typed: string) => typed.toLowerCase().replace(/[^a-z0-9-]/g, '');

/** A valid project name made from a file's: 'My Agent (2).zip' gives 'my-agent-2'. */
export function projectNameFrom(fileName: string): string {
  const name = fileName
    .replace(/\.zip$/i, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxProjectNameLength)
    .replace(/^-+|-+$/g, '');
  return name === '' ? 'my-first-agent' : name;
}
