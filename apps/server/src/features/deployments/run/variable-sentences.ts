import type { AskedVariable } from '@paddock/builder';
import { addressPart } from '@paddock/contract/database-variables';
import { namesOfDatabases } from './database-variables.ts';

/** Variables of a failed start. `set`: names that it got; `asked`: those that its archive asks for. */
interface Variables {
  set?: string[];
  asked?: AskedVariable[];
}

/** Required variables that are not set, in addition to a known cause. */
export function alsoAsked({ set = [], asked = [] }: Variables): string {
  const open = asked.filter(({ name, required }) => required && !set.includes(name));
  return open.length ? ` Its files also ask for ${listed(open)}, which ${open.length > 1 ? 'are' : 'is'} not set.` : '';
}

/** True for an unset variable of a service whose key is missing: `PINECONE_INDEX_NAME` beside `PINECONE_API_KEY`. */
export function isOfSameService({ name, example }: AskedVariable, missing: string[]): boolean {
  const service = name.split('_', 1)[0] ?? '';
  return example === undefined && missing.some((one) => one !== service && one.startsWith(`${service}_`));
}

/** A sentence with the archive's own examples of these variables. */
export function formatExamples(names: string[], asked: AskedVariable[]): string {
  const offered = offeredNames(asked);
  const known = asked.filter(({ name, example }) => names.includes(name) && !offered.includes(name) && example !== undefined);
  const shown = known.slice(0, maxListed).map(({ name, example }) => `${name}=${example}`);
  return shown.length > 0 ? ` Its files have the example${shown.length > 1 ? 's' : ''} ${shown.join(', ')}.` : '';
}

/** Names that a Paddock database would set, except those whose own example is of another kind, such as `sqlite:///chat.db`. */
export function offeredNames(asked: AskedVariable[]): string[] {
  const isOther = (name: string) =>
    asked.some((one) => one.name === name && one.example !== undefined && !/^(?:postgres|rediss?:)/.test(one.example));
  return namesOfDatabases(asked).filter((name) => !(name.endsWith('_URL') && isOther(name)));
}

/** `the variables A, B` */
export const variables = (names: string[]) => `the variable${names.length > 1 ? 's' : ''} ${names.join(', ')}`;
/** How to set these variables. `given`: names that come with a database. */
export function remedy(names: string[], given: string[]): string {
  const databases = names.filter((name) => given.includes(name));
  const own = names.filter((name) => !databases.includes(name));
  // A name that is not in the archive's own files is for the user to fill in.
  const isAddress = own.some((name) => addressPart(name, 'postgresql') !== undefined);
  const address = isAddress ? '; a database of Paddock has its address under Databases' : '';
  if (!databases.length) return `set ${them(own)} under Variables and redeploy${address}`;
  const deploy = `deploy with a database, which sets ${[databases.slice(0, -1).join(', '), ...databases.slice(-1)].filter(Boolean).join(' and ')}`;
  return own.length ? `set ${own.join(', ')} under Variables, and ${deploy}` : deploy;
}
export const them = (names: string[]) => (names.length > 1 ? 'them' : 'it');

/** Names no provider: 'At least one LLM API key must be provided'. */
const anApiKey = /\bAPI[ _-]?keys?\b/i;

/** Shorter words of a name, such as `URL` or `ID`, occur in many errors. */
const minWord = 5;

/** Whether an error mentions words of the name of a variable without an example: `GEMINI_MODEL` for 'Must provide a model name'. */
export function mentionsVariable({ name, example }: AskedVariable, error: string): boolean {
  const words = name.toLowerCase().split('_');
  if (example !== undefined) return false;
  return (
    (name.endsWith('_API_KEY') && anApiKey.test(error)) ||
    words.some((word) => word.length >= minWord && error.toLowerCase().includes(word))
  );
}

const maxListed = 12;

/** `A_KEY (main.py:3), B_URL (.env.example:1)` */
export function listed(asked: AskedVariable[]): string {
  const shown = asked.slice(0, maxListed).map(({ name, at }) => `${name} (${at})`);
  return asked.length > maxListed ? `${shown.join(', ')} and ${asked.length - maxListed} more` : shown.join(', ');
}
