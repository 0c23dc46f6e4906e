import { posix } from 'node:path';
import { parseCommand } from './commands.ts';
import type { SourceTree } from './source-tree.ts';

const file = /^[\w./-]{1,200}$/;
const option = /\s--env-file[=\s](["'\w./-]{1,200})/g;
const maxLine = 4096;

/**
 * Removes `--env-file` options whose file the archive does not have: node and uv exit at once if the file is absent, and its variables are
 * set in the project. `absent`: the removed files.
 */
export function withoutEnvFiles(command: string[], tree: SourceTree): { command: string[]; absent: string[] } {
  const absent: string[] = [];
  const isAbsent = (path: string) => {
    if (!file.test(path) || path.startsWith('/') || tree.has(posix.normalize(path))) return false;
    absent.push(path);
    return true;
  };
  if (command[0] === '/bin/sh' && command[1] === '-c' && command.length === 3) {
    const line = command[2] ?? '';
    if (line.length > maxLine) return { command, absent };
    const left = line.replaceAll(option, (whole, path: string) => (isAbsent(path.replaceAll(/["']/g, '')) ? '' : whole));
    return { command: left === line ? command : parseCommand(left), absent };
  }
  const words: string[] = [];
  for (let at = 0; at < command.length; at++) {
    const word = command[at] ?? '';
    if (word === '--env-file' && isAbsent(command[at + 1] ?? '')) at++;
    else if (!(word.startsWith('--env-file=') && isAbsent(word.slice('--env-file='.length)))) words.push(word);
  }
  return { command: words, absent };
}
