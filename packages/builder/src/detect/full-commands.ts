import type { Choice } from '../plan.ts';
import { commandLine } from './commands.ts';
import type { Spoken } from './spoken.ts';

const maxCommands = 4;
/** Words that ask a program about itself, or stand for something that the reader fills in, or for the next line. */
const noArgument = /^(?:-h|--help|--version|\\|[[<{].*|.*[\]>}])$/;

/** The module of a script of the project, as its start imports it. */
const ofScript = /^import sys; from ([\w.]{1,200}) import \w/;

/**
 * The commands in the archive's own documents that run the start with arguments: `python main.py --topic tea` for `python main.py`. A
 * program that only prints its usage can be started by them. `script`: the name of the project's script that the start runs.
 */
export function fullCommands(start: string[], spoken: readonly Spoken[], script?: string): Choice[] {
  const module = start.length === 3 ? ofScript.exec(start[2] ?? '')?.[1] : undefined;
  const ways: [said: string[], run: string][] = [[usualWords(start), start.join(' ')]];
  if (module !== undefined) ways.push([['python', '-m', module], `python -m ${module}`]);
  if (module !== undefined && script !== undefined) ways.push([[script], commandLine(start)]);
  const found = spoken.flatMap(({ file, words }) => ways.flatMap((way) => withArguments(way, file, usualWords(words))));
  return found.slice(0, maxCommands);
}

function withArguments([said, run]: [said: string[], run: string], file: string, usual: string[]): Choice[] {
  const given = usual.slice(said.length);
  const isSame = said.length > 0 && said.every((word, at) => word === usual[at]);
  if (!isSame || given.length === 0 || given.some((word) => noArgument.test(word))) return [];
  return [{ start: [run, ...given].join(' '), because: `${file}, with arguments` }];
}

/** The name of the project's script in the reason for a start: `pyproject.toml (script desk)`. */
export const scriptIn = (reasons: readonly { what: string; because: string }[]) =>
  reasons.flatMap(({ what, because }) => (what === 'start' ? (/\(script ([\w.-]{1,100})\)/.exec(because)?.[1] ?? []) : []))[0];

/** Without comments and words that change nothing, so that different spellings of a command are equal. */
function usualWords(words: string[]): string[] {
  const comment = words.findIndex((word) => word.startsWith('#'));
  return (comment === -1 ? words : words.slice(0, comment))
    .map((word) => word.replace(/^\.\//, '').replace(/^python3$/, 'python'))
    .filter((word, at, all) => !(at === 1 && (word === '--' || (word === 'run' && all[0] === 'bun'))));
}
