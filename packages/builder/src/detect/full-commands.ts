import type { Choice } from '../plan.ts';
import type { Spoken } from './spoken.ts';

const maxCommands = 4;
/** Words that ask a program about itself, or stand for something that the reader fills in, or for the next line. */
const noArgument = /^(?:-h|--help|--version|\\|[[<{].*|.*[\]>}])$/;

/**
 * The commands in the archive's own documents that run the start with arguments: `python main.py --topic tea` for `python main.py`. A
 * program that only prints its usage can be started by them.
 */
export function fullCommands(start: string[], spoken: readonly Spoken[]): Choice[] {
  const own = usualWords(start);
  const found = spoken.flatMap(({ file, words }): Choice[] => {
    const usual = usualWords(words);
    const given = usual.slice(own.length);
    const isSame = own.length > 0 && own.every((word, at) => word === usual[at]);
    if (!isSame || given.length === 0 || given.some((word) => noArgument.test(word))) return [];
    return [{ start: [...start, ...given].join(' '), because: `${file}, with arguments` }];
  });
  return found.slice(0, maxCommands);
}

/** Without comments and words that change nothing, so that different spellings of a command are equal. */
function usualWords(words: string[]): string[] {
  const comment = words.findIndex((word) => word.startsWith('#'));
  return (comment === -1 ? words : words.slice(0, comment))
    .map((word) => word.replace(/^\.\//, '').replace(/^python3$/, 'python'))
    .filter((word, at, all) => !(at === 1 && (word === '--' || (word === 'run' && all[0] === 'bun'))));
}
