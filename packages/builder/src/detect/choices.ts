import type { Choice } from '../plan.ts';
import { commandLine } from './commands.ts';

const maxChoices = 8;
const maxChoiceCharacters = 1000;

/** At most eight different choices other than the current start; undefined if none is left. */
export function otherChoices(all: Choice[], command: string[]): Choice[] | undefined {
  const taken = new Set([usual(commandLine(command))]);
  const isNew = (start: string) => !taken.has(usual(start)) && taken.add(usual(start));
  const left = all.filter(({ start = '' }) => start.length <= maxChoiceCharacters && isNew(start));
  return left.length === 0 ? undefined : left.slice(0, maxChoices);
}

/** The same choices for the whole archive: their commands run in the agent's folder. */
export const inFolder = (choices: Choice[], root: string): Choice[] =>
  root === '' ? choices : choices.map((choice) => ({ root, ...choice }));

/** Both names of the interpreter count as the same start. */
const usual = (line: string) => line.replace(/^python3(?= )/, 'python');
