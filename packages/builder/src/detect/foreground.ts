import { posix } from 'node:path';
import { commandLine } from './commands.ts';
import { type ShellToken, shellTokens } from './docker/shell-words.ts';
import type { SourceTree } from './source-tree.ts';

/** A command that stays in the foreground, and the script of the archive that contained it. */
export interface Foreground {
  command: string[];
  /** Absent if the command is the given one. */
  script?: string;
}

/** Longer scripts are run unchanged. */
const maxCharacters = 20_000;
/** The number in `2>&1` is not an argument. */
const numberedSign = /(\s)[0-2]>/g;
const noVariables: ReadonlyMap<string, string> = new Map();

/**
 * The foreground command of a start that only leaves a process in the background and exits: a shell script or line whose last command ends
 * with `&` or calls a process manager. Null if the background command is not clear. Other commands are returned unchanged.
 */
export function foreground(command: string[], tree: SourceTree): Foreground | null {
  const script = findShellScript(command, tree);
  const source = script === null ? lineOf(command) : (tree.read(script) ?? '');
  if (source === null || source.length > maxCharacters) return { command };
  const tokens = shellTokens(source.replaceAll(numberedSign, '$1>'), noVariables);
  const instead = foregroundAlternative(tokens, tree);
  if (instead !== null) return { command: instead, ...(script === null ? {} : { script }) };
  const left = leftBehind(splitCommands(tokens));
  if (left.length === 0) return { command };
  const [agent, ...more] = left.filter(({ words }) => !services.has(withoutPrefix(words)[0]?.text ?? ''));
  const kept = agent === undefined || more.length > 0 ? null : runnable(agent, tree);
  return kept === null ? null : { command: kept, ...(script === null ? {} : { script }) };
}

/** The shell script of the archive that a command runs without arguments. */
function findShellScript(command: string[], tree: SourceTree): string | null {
  const words = lineOf(command)?.trim().split(/\s+/) ?? [];
  const rest = /^(?:\/usr)?(?:\/bin\/)?(?:ba|da)?sh$/.test(words[0] ?? '') ? words.slice(1) : words;
  const path = posix.normalize(rest.findLast((word) => !word.startsWith('-')) ?? '');
  return rest.length <= 2 && path.endsWith('.sh') && tree.has(path) ? path : null;
}

const isShell = (command: string[]) => /^(?:\/bin\/)?(?:ba|da)?sh$/.test(command[0] ?? '') && command[1] === '-c';
const lineOf = (command: string[]): string | null => (isShell(command) ? (command[2] ?? null) : commandLine(command));

/** A simple command of a script, without its redirections. */
interface Simple {
  words: ShellToken[];
  isBackground: boolean;
}

const maxCommands = 1000;

function splitCommands(tokens: ShellToken[]): Simple[] {
  const commands: Simple[] = [];
  let words: ShellToken[] = [];
  const end = (isBackground: boolean) => {
    if (words.length > 0 && commands.length < maxCommands) commands.push({ words, isBackground });
    words = [];
  };
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as ShellToken;
    if (!token.isOperator) {
      words.push(token);
      continue;
    }
    if (token.text.startsWith('>') || token.text.startsWith('<')) {
      // In `>&1` the `&` does not end the command.
      if (tokens[at + 1]?.text === '&') at++;
      at++;
      continue;
    }
    // `&> file` is a redirection of bash.
    if (token.text === '&' && tokens[at + 1]?.text.startsWith('>')) continue;
    end(token.text === '&');
  }
  end(false);
  return commands;
}

/** Commands that exit at once and leave nothing running. */
const endsAtOnce = new Set('echo printf exit true : disown fi done esac return } export unset touch rm chmod date'.split(' '));
const managers = new Set('pm2 supervisorctl screen tmux systemctl service docker docker-compose podman forever'.split(' '));
/** Programs that run beside the agent. */
const services = new Set(['service', 'systemctl']);

/** `node bot.js` of `[ "$NODE_ENV" = production ] && pm2 start bot.config.js || node bot.js`; null for other lines. */
function foregroundAlternative(tokens: ShellToken[], tree: SourceTree): string[] | null {
  const at = tokens.findLastIndex(({ isOperator, text }) => isOperator && text === '||');
  if (at === -1 || !splitCommands(tokens.slice(0, at)).some(({ words }) => isManaged(words))) return null;
  const [only, ...more] = splitCommands(tokens.slice(at + 1));
  if (only === undefined || more.length > 0 || only.isBackground || isManaged(only.words)) return null;
  return runnable(only, tree);
}

/** The commands that are still running when a script exits; none if the script itself keeps running. */
function leftBehind(commands: Simple[]): Simple[] {
  const last = commands.findLast(({ words, isBackground }) => isBackground || !isBrief(words));
  if (last === undefined || !(last.isBackground || isManaged(last.words))) return [];
  return commands.filter(({ words, isBackground }) => isBackground || isManaged(words));
}

function isBrief(words: ShellToken[]): boolean {
  const first = words[0]?.text ?? '';
  if (first === 'sleep') return /^\d{1,3}s?$/.test(words[1]?.text ?? '');
  return endsAtOnce.has(first) || words.every(({ text }) => isSetting(text));
}

function isManaged(words: ShellToken[]): boolean {
  const [program = '', ...rest] = withoutPrefix(words).map(({ text }) => text);
  return managers.has(program) && !rest.some((word) => /^(?:--no-daemon|logs|attach|-DmS?)$/.test(word));
}

const prefixes = new Set(['nohup', 'setsid', 'sudo', 'exec', 'then', 'else', 'do', '(', '{']);

function withoutPrefix(words: ShellToken[]): ShellToken[] {
  const at = words.findIndex(({ text }) => !prefixes.has(text));
  return at === -1 ? [] : words.slice(at);
}

const isSetting = (word: string) => /^\w+=/.test(word);

const interpreters = new Map([
  [/\.py$/, 'python'],
  [/\.[cm]?js$/, 'node'],
]);

/**
 * The words that a background command or a process manager runs; null if they are not plain, or if they do not name a program that runs
 * agents.
 */
function runnable({ words }: Simple, tree: SourceTree): string[] | null {
  const own = withoutPrefix(words);
  if (own.some(({ isPlain }) => !isPlain)) return null;
  const given = own.map(({ text }) => text);
  const at = given.findIndex((word) => !isSetting(word) && !prefixes.has(word));
  const settings = given.slice(0, Math.max(at, 0)).filter(isSetting);
  const [program = '', ...rest] = managedWords(given.slice(Math.max(at, 0)));
  const before = settings.length > 0 ? ['env', ...settings] : [];
  const by = [...interpreters].find(([kind]) => kind.test(program))?.[1];
  if (by !== undefined) return tree.has(posix.normalize(program)) ? [...before, by, program, ...rest] : null;
  if (!programs.test(program)) return null;
  const file = rest.find((word) => /\.(?:py|[cm]?js)$/.test(word));
  // The file may be missing because the script changed its folder before.
  if (file !== undefined && !tree.has(posix.normalize(file))) return null;
  return [...before, program.replace(/^python3(?:\.\d{1,2})?$/, 'python'), ...rest];
}

const programs =
  /^(?:python3?(?:\.\d{1,2})?|uvicorn|gunicorn|hypercorn|streamlit|chainlit|fastapi|flask|fastmcp|langgraph|node|npm|npx|pnpm|yarn|bun|tsx)$/;

/** The command given to `pm2 start`, `screen -dmS name` and similar; empty if the manager reads it from its own file. */
function managedWords(words: string[]): string[] {
  const [program = '', verb = ''] = words;
  if (!managers.has(program)) return words;
  if (program === 'pm2' || program === 'forever') {
    if (verb !== 'start') return [];
    const [first = '', ...rest] = words.slice(2);
    const dashes = rest.indexOf('--');
    return /config\.[cm]?js$|\.json$|^-/.test(first) ? [] : [first, ...(dashes === -1 ? [] : rest.slice(dashes + 1))];
  }
  const start = words.findIndex((word, at) => at > 0 && (programs.test(word) || /\.(?:py|[cm]?js)$/.test(word)));
  return program === 'screen' && start !== -1 ? words.slice(start) : [];
}
