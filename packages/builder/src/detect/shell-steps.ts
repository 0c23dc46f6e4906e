import { posix } from 'node:path';
import { type ShellToken, shellTokens } from './docker/shell-words.ts';
import type { SourceTree } from './source-tree.ts';

/** A simple command of a shell line or script. */
export interface ShellStep {
  words: string[];
  /** Its words are known, it has no pipe, and it runs whatever the script finds. */
  isPlain: boolean;
  /** A failure ends the script before the next command. */
  stopsOnFailure: boolean;
  /** Its folder below the agent's; null if it is not known. */
  folder: string | null;
}

interface Place {
  tree: SourceTree;
  /** The folder of the command below the agent's. */
  folder: string | null;
  /** Maps a path of the image to the path in the archive. */
  locate: (path: string) => string | null;
}

const noVariables: ReadonlyMap<string, string> = new Map();
const maxDepth = 3;
const maxSteps = 300;
const maxCharacters = 20_000;
const isShell = (word = '') => /^(?:(?:\/usr)?\/bin\/)?(?:ba|da)?sh$/.test(word);

/** The commands that a command runs one after the other: those of its shell line or script, with the scripts of the archive that it calls. */
export function shellSteps(command: string[], place: Place): ShellStep[] {
  const steps: ShellStep[] = [];
  run(command, { ...place, steps, depth: 0, stopsOnFailure: true, isPlain: true });
  return steps;
}

interface Running extends Place {
  steps: ShellStep[];
  depth: number;
  stopsOnFailure: boolean;
  isPlain: boolean;
}

function run(given: string[], at: Running): void {
  const words = given.slice(given[0] === 'tini' || given[0] === 'dumb-init' ? 1 + Number(given[1] === '--') : 0);
  if (at.steps.length >= maxSteps) return;
  const rest = isShell(words[0]) ? words.slice(1) : words;
  const option = isShell(words[0]) ? (/^-[a-z]{1,5}$/.exec(rest[0] ?? '')?.[0] ?? '') : '';
  const inner = { ...at, depth: at.depth + 1 };
  if (at.depth < maxDepth && option.endsWith('c')) {
    runText(rest[1] ?? '', [], { ...inner, stopsOnFailure: option.includes('e') });
    return;
  }
  const [script = '', ...args] = rest.slice(option === '' ? 0 : 1);
  const path = at.depth < maxDepth && script.endsWith('.sh') ? findFile(script, at) : null;
  const text = path === null ? null : at.tree.read(path);
  if (text === null || text.length > maxCharacters)
    at.steps.push({ words, isPlain: at.isPlain, stopsOnFailure: at.stopsOnFailure, folder: at.folder });
  else
    runText(text, args, {
      ...inner,
      stopsOnFailure: option.includes('e') || hasErrexit(text),
    });
}

const hasErrexit = (script: string) => script.split('\n').some((line) => /^(?:#!\S{1,60} -e|set -\w{0,5}e)/.test(line.trim()));

/** The archive's file of a path in the image. */
export function findFile(path: string, { tree, folder, locate }: Place): string | null {
  const relative = folder === null ? null : posix.join(folder, path);
  const found = posix.isAbsolute(path) ? locate(path) : relative;
  return found !== null && tree.has(found) ? found : null;
}

/** The number in `2>&1` is not an argument. */
const numberedSign = /(\s)[0-2]>/g;
const opens = new Set(['if', 'while', 'until', 'for', 'case', '{']);
const closes = new Set(['fi', 'done', 'esac', '}']);
const prefixes = new Set(['exec', 'then', 'else', 'do', '{', '!', 'time', 'nohup', 'sudo']);

function runText(text: string, args: string[], at: Running): void {
  let { folder } = at;
  const outer: (string | null)[] = [];
  let nested = 0;
  let before = ';';
  const pieces = splitTokens(shellTokens(text.slice(0, maxCharacters).replaceAll(numberedSign, '$1>'), noVariables));
  for (const [index, { tokens, end }] of pieces.entries()) {
    const first = tokens[0]?.text ?? '';
    if (opens.has(first)) nested++;
    const isAlone = [';', '&&', '('].includes(before) && [';', '&&', '||', ')', ''].includes(end);
    const own = tokens.slice(
      Math.max(
        0,
        tokens.findIndex(({ text: word }) => !prefixes.has(word)),
      ),
    );
    // `exec gosu agent "$@"`
    const words = own.at(-1)?.text === '$@' && own.length <= 3 ? args : own.map((token) => token.text);
    const isPlain = at.isPlain && nested === 0 && isAlone && (words === args || own.every((token) => token.isPlain));
    if (words[0] === 'cd') folder = isPlain && words.length === 2 ? moved(words[1] ?? '', { ...at, folder }) : null;
    else if (words.length > 0)
      run(words, { ...at, folder, isPlain, stopsOnFailure: endsOnFailure(pieces[index + 1], end) ?? at.stopsOnFailure });
    if (closes.has(first)) nested = Math.max(0, nested - 1);
    if (end === '(') outer.push(folder);
    if (end === ')') folder = outer.pop() ?? null;
    before = end;
  }
}

interface Piece {
  tokens: ShellToken[];
  /** The operator behind it; '' at the end. */
  end: string;
}

/** Whether the operator behind a command makes its failure end the script; undefined if that is left to the script's options. */
function endsOnFailure(next: Piece | undefined, end: string): boolean | undefined {
  if (end === '||') return next?.tokens[0]?.text === 'exit';
  const isAnd = end === '&&' || (end === ')' && next?.tokens.length === 0 && next.end === '&&');
  return isAnd || undefined;
}

function splitTokens(tokens: ShellToken[]): Piece[] {
  const found: Piece[] = [];
  let own: ShellToken[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as ShellToken;
    if (!token.isOperator) own.push(token);
    else if (/^[<>]/.test(token.text)) at += tokens[at + 1]?.text === '&' ? 2 : 1;
    else {
      found.push({ tokens: own, end: token.text });
      own = [];
    }
  }
  return [...found, { tokens: own, end: '' }].filter(({ tokens: some, end }) => some.length > 0 || end !== ';');
}

/** Folders of images that usually hold the whole archive. */
const usualFolder = /^\/(?:(?:usr\/src|home\/\w{1,40}|opt|srv)\/)?[\w-]{1,60}\/?$/;

/** The folder of `cd`; the image may have the archive's files in another place than its Dockerfile says, as with a mounted folder. */
function moved(path: string, { tree, folder, locate }: Place): string | null {
  if (!posix.isAbsolute(path)) return folder !== null && tree.hasFolder(posix.join(folder, path)) ? posix.join(folder, path) : null;
  const found = locate(path);
  if (found !== null && (found === '' || tree.hasFolder(found))) return found;
  const parts = path
    .split('/')
    .filter((part) => part !== '')
    .slice(0, 20);
  const ends = parts.map((_, from) => parts.slice(from + 1).join('/'));
  return ends.find((end) => end !== '' && tree.hasFolder(end)) ?? (usualFolder.test(path) ? '' : null);
}
