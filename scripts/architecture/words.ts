// Counts words and forms that style.md replaces. Each count may only fall.
import { basename } from 'node:path';
import type { Source } from './sources.ts';

export interface WordRule {
  /** The form, as the message names it. */
  what: string;
  /** The replacement. */
  instead: string;
  /** The number of places that still have the form. The test fails above it, and asks to lower it once there are fewer. */
  atMost: number;
  /** The places in one file, each as a short text. */
  find: (source: Source) => string[];
}

const lines = (pattern: RegExp) => (source: Source) => {
  if (!/\.(tsx?|mjs)$/.test(source.path)) return [];
  return source.text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${source.path}:${index + 1}`] : []));
};

/** Names that end in -ing and are no factories: nouns (a signing key, a billing account) and adjectives (missing variables). */
const NOT_FACTORIES =
  /^(signing|routing|running|listening|missing|billing|growing|forwarding|printing|talking|recording|alerting|reading|serving|reconnecting|ending|beginning|finding|masking|meaning|setting|going|counting|closing|greeting|nothing)/;

const FILE_NAMES = new Set(
  'found turns looks news said asked about parts remembered given told utils helpers common shared misc'.split(' '),
);

export const wordRules: readonly WordRule[] = [
  {
    what: 'a comment that begins with Of, What, One, Such, Those, Whoever, Otherwise, As or Where',
    instead: 'begin with the subject, then the verb',
    atMost: 0,
    find: lines(/(?:^\s*(?:\/\/|\/\*\*?|\*)|[;,{(})]\s+\/\/)\s+(?:Of|What|One|Such|Those|Whoever|Otherwise|As|Where)\b/),
  },
  {
    what: 'an exported factory named by a gerund',
    instead: 'a noun or create…',
    atMost: 0,
    find: (source) =>
      [...source.text.matchAll(/^export (?:async )?(?:function|const) ([a-z]+ing)(?=[A-Z (:=<])\w*/gm)].flatMap(([whole, stem = '']) =>
        NOT_FACTORIES.test(stem) ? [] : [`${source.path}: ${whole}`],
      ),
  },
  {
    what: 'a type named Parts, Given, Needs, Around, Own, Others, Beside or Way',
    instead: 'Deps for what a factory needs, …Input or …Options for a record',
    atMost: 0,
    find: lines(/^(?:export )?(?:interface|type) (?:Parts|Given|Needs|Around|Own|Others|Beside|Way)\b/),
  },
  {
    what: 'a name that begins with most, longest, least or shortest',
    instead: 'max… or min…',
    atMost: 0,
    find: lines(/^\s*(?:export )?(?:const|let) (?:most|longest|least|shortest)[A-Z]\w* =(?! \()/),
  },
  {
    what: 'a file name that says nothing to a search',
    instead: 'a name after the main export',
    atMost: 0,
    find: ({ path }) => (FILE_NAMES.has(basename(path).split('.')[0] ?? '') && /\.(tsx?|mjs)$/.test(path) ? [path] : []),
  },
];
