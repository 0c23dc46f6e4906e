import { posix } from 'node:path';
import type { AskedVariable } from '../plan.ts';
import { wordsOf } from './commands.ts';
import { isAskable, isSecret } from './variables/mention.ts';

interface Image {
  command: string[];
  /** A folder below the agent's. */
  folder?: string | undefined;
}

/** Whether an image gives arguments to the very file that the detected start runs without any. */
export function givesArguments({ command, folder = '' }: Image, found: string[]): boolean {
  const [program = '', file = '', ...more] = found.filter((word) => word !== '--');
  if (more.length > 0 || !/^(?:python|node)$/.test(program)) return false;
  const words = wordsOf(command);
  const at = words.findIndex((word) => posix.join(folder, word) === posix.normalize(file));
  return at !== -1 && words.length > at + 1;
}

const expanded = /\$\{?([A-Z][A-Z0-9_]{1,63})([^A-Z0-9_]|$)/g;

/** Variables that a start command gives its program as arguments: without them it gets fewer. */
export function variablesOfCommand(command: string[], asked: AskedVariable[]): AskedVariable[] {
  const line = command.join(' ');
  // A line that tests variables has an answer for those that are not set.
  if (/\bif\b|\[|\btest\b|\bcase\b/.test(line)) return asked;
  // `${NAME:-value}` has a value of its own.
  const found = [...line.matchAll(expanded)].filter(([, , sign = '']) => !/[:\-+=?]/.test(sign));
  const names = [...new Set(found.map(([, name = '']) => name))].filter(isAskable);
  const known = new Set(asked.map(({ name }) => name));
  const added = names
    .filter((name) => !known.has(name))
    .map((name) => ({ name, required: true, secret: isSecret(name), at: 'the start command' }));
  return [...added, ...asked.map((one) => (names.includes(one.name) ? { ...one, required: true } : one))];
}
