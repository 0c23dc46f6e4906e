// Counts words and forms that style.md replaces. Each count may only fall.
import { basename } from 'node:path';
import { isTest, type Source } from './sources.ts';

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

/** The beginning of a function or method named …Of. A call at the beginning of a line looks like a method; only its end differs. */
const OF_FUNCTION =
  /^(\s*)(?:(?:export )?(?:async )?(?:function\*? (\w+Of)\b|const (\w+Of)\b.*? = (?:async )?(?:<.*>)?(?:\(|\w+ =>))|(?:async )?[*#]?(\w+Of)(?:<.*>)?\(|(\w+Of): (?:async )?\()/;

/** The lines of a statement or a method after its first: those with a deeper indent, and those that close its brackets. */
function linesBelow(all: readonly string[], first: number, indent: string): string[] {
  const rest = all.slice(first + 1);
  const end = rest.findIndex((line) => line !== '' && !line.startsWith(`${indent} `) && !/^[)}\]`]/.test(line.slice(indent.length)));
  return rest
    .slice(0, end === -1 ? undefined : end)
    .join('\n')
    .trimEnd()
    .split('\n');
}

/** Functions of product code that are named …Of and have more than three lines. */
function longProjections(source: Source): string[] {
  if (!/^(apps|packages)\//.test(source.path) || !/\.tsx?$/.test(source.path) || isTest(source)) return [];
  const all = source.text.split('\n');
  return all.flatMap((line, index) => {
    const [, indent, ...names] = OF_FUNCTION.exec(line) ?? [];
    if (indent === undefined) return [];
    const [name] = names.filter(Boolean);
    const below = linesBelow(all, index, indent);
    const isCall = names[2] !== undefined && below.at(-1)?.replace(',', '') !== `${indent}}`;
    return below.length < 3 || isCall ? [] : [`${source.path}:${index + 1}: ${name}`];
  });
}

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
  {
    what: 'a function of several lines named …Of',
    instead: 'a verb: parseHeader, formatAmount',
    atMost: 0,
    find: longProjections,
  },
];
