import type { Choice } from '../plan.ts';
import { commandLine } from './commands.ts';

const maxChoices = 8;
const maxChoiceCharacters = 1000;

/** At most eight choices, none twice and none that is the start already; undefined if none is left. */
export function otherChoices(all: Choice[], command: string[]): Choice[] | undefined {
  const taken = new Set([usual(commandLine(command))]);
  const isNew = (start: string) => !taken.has(usual(start)) && taken.add(usual(start));
  const left = all.filter(({ start = '' }) => start.length <= maxChoiceCharacters && isNew(start));
  return left.length === 0 ? undefined : left.slice(0, maxChoices);
}

/** The same choices as they are given for the whole archive: their commands run in the agent's folder. */
export const inFolder = (choices: Choice[], root: string): Choice[] =>
  root === '' ? choices : choices.map((choice) => ({ root, ...choice }));

/** Both names of the interpreter start the same. */
const usual = (line: string) => line.replace(/^python3(?= )/, 'python');
