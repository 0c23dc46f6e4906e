import type { SourceTree } from './source-tree.ts';

/** The path in the archive of a script that COPY moves to the image's working folder, if exactly one path fits. */
export function locateScript(word: string, tree: SourceTree): string {
  if (!/^[\w./-]+\.(py|[cm]?js|ts|sh)$/.test(word) || tree.has(word.replace(/^\.\//, ''))) return word;
  const found = tree.files.filter((f) => f.endsWith(`/${word.replace(/^(\.\/|\/app\/)/, '')}`));
  return found.length === 1 ? (found[0] ?? word) : word;
}

/** The program of a CMD that neither the archive nor a usual system has: only the build of the image would make it. */
export function isBuiltByImage(command: string[], tree: SourceTree): string | null {
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
