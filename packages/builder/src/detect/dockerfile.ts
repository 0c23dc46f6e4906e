import { firstWord } from './line-parts.ts';
import type { SourceTree } from './source-tree.ts';

/** The hints of a Dockerfile: its last CMD (with ENTRYPOINT before it) and its first EXPOSE. */
export interface DockerHints {
  start: string | string[] | null;
  port: number | null;
}

export function readDockerfile(source: string): DockerHints {
  const lines = source.replace(/\\\r?\n/g, ' ').split(/\r?\n/);
  let entrypoint: string | string[] | null = null;
  let cmd: string | string[] | null = null;
  let port: number | null = null;
  for (const line of lines) {
    const { word, rest } = firstWord(line);
    if (rest === '') continue;
    switch (word.toUpperCase()) {
      case 'FROM':
        entrypoint = null;
        cmd = null;
        port = null;
        break;
      case 'CMD':
        cmd = execForm(rest);
        break;
      case 'ENTRYPOINT':
        entrypoint = execForm(rest);
        cmd = null;
        break;
      case 'EXPOSE':
        port ??= exposed(rest);
        break;
      default:
    }
  }
  return { start: joined(entrypoint, cmd), port };
}

function exposed(rest: string): number | null {
  const n = Number(/^\d+/.exec(rest)?.[0]);
  return Number.isInteger(n) && n >= 1 && n <= 65_535 ? n : null;
}

function joined(entrypoint: string | string[] | null, cmd: string | string[] | null): string | string[] | null {
  if (entrypoint === null || typeof entrypoint === 'string') return entrypoint ?? cmd;
  return Array.isArray(cmd) ? [...entrypoint, ...cmd] : entrypoint;
}

function execForm(rest: string): string | string[] {
  if (!rest.startsWith('[')) return rest;
  try {
    const list: unknown = JSON.parse(rest);
    return Array.isArray(list) && list.length > 0 && list.every((p) => typeof p === 'string') ? list : rest;
  } catch {
    // Docker itself takes a list that is not JSON as a shell line.
    return rest;
  }
}

/** The path in the archive of a script that COPY moves to the image's working folder, if exactly one path fits. */
export function whereItStands(word: string, tree: SourceTree): string {
  if (!/^[\w./-]+\.(py|[cm]?js|ts|sh)$/.test(word) || tree.has(word.replace(/^\.\//, ''))) return word;
  const found = tree.files.filter((f) => f.endsWith(`/${word.replace(/^(\.\/|\/app\/)/, '')}`));
  return found.length === 1 ? (found[0] ?? word) : word;
}

/** The program of a CMD that neither the archive nor a usual system has: the image's build would make the program. */
export function madeByImage(command: string[], tree: SourceTree): string | null {
  const line = command[0] === '/bin/sh' && command[1] === '-c' ? (command[2] ?? '') : command.join(' ');
  const words = line.trim().split(/\s+/);
  const program = words.find((w) => w !== 'exec' && !/^\w+=/.test(w)) ?? '';
  if (/^(\/usr)?\/s?bin\//.test(program) || !/^[\w./-]+$/.test(program)) return null;
  // The source is mounted at /app, which is also the usual WORKDIR.
  const inside = program.replace(/^\/app\//, '').replace(/^\.\//, '');
  const isThere = program.includes('/') ? tree.has(inside) : shellWords.has(program);
  return isThere ? null : program;
}

const shellWords = new Set(['sh', 'bash', 'dash', 'env', 'cd', 'set', 'sleep', 'echo', 'cat', 'tail', 'test', 'true', 'nohup', 'timeout']);
