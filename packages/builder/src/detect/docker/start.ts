import { posix } from 'node:path';
import { parseCommand } from '../commands.ts';
import type { SourceTree } from '../source-tree.ts';
import type { ImageCommand, Stage } from './stages.ts';

export interface DockerStart {
  /** Its paths are those of the archive. */
  command: string[];
  /** `CMD` or `ENTRYPOINT`. */
  instruction: string;
  line: number;
  /** Its working folder in the archive; '' for the archive's root. */
  folder: string;
}

interface Archive {
  tree: SourceTree;
  locate: (path: string) => string | null;
}

/** Each look-up searches all copied files. */
const maxLooks = 50;
const maxLine = 4096;

/** The command of the last stage: ENTRYPOINT, then CMD. Null if the base image decides, or if the command only waits for a person. */
export function resolveDockerStart({ entrypoint, cmd, workdir, image }: Stage, archive: Archive): DockerStart | null {
  // The CMD of an AWS Lambda image is a function that AWS calls, not a program.
  if (entrypoint === null && ofLambda.test(image)) return null;
  const words = withoutWrappers(joined(entrypoint, cmd), archive);
  if (words.length === 0 || isIdle(words)) return null;
  const said = entrypoint ?? cmd;
  const place = archive.locate(workdir) ?? '';
  const folder = place !== '' && archive.tree.hasFolder(place) ? place : '';
  const inArchive = (path: string) => {
    const found = archive.locate(posix.resolve('/', workdir, path));
    return found === null || found === '' ? null : posix.relative(`/${folder}`, `/${found}`);
  };
  const isShell = /^(\/bin\/)?(ba)?sh$/.test(words[0] ?? '') && words[1] === '-c';
  let looks = 0;
  const command = words.map((word, at) => {
    // The image may have another minor version than the sandbox.
    if (/^python3\.\d{1,2}$/.test(word)) return 'python';
    if (isShell && at === 2) return withPaths(word, (path) => (++looks > maxLooks ? null : inArchive(path)));
    if (at === 0 && isName(word)) return inPath(word, archive, inArchive) ?? word;
    if (++looks > maxLooks || !isPath(word)) return word;
    const path = inArchive(word);
    // A path that a build would make is used only if the word leads out of the working folder.
    if (path === null || !(word.startsWith('/') || archive.tree.has(posix.join(folder, path)))) return word;
    return path;
  });
  return {
    command: runnable(command, { archive, folder }),
    instruction: entrypoint === null ? 'CMD' : 'ENTRYPOINT',
    line: said?.line ?? 0,
    folder,
  };
}

/** A shell without a script ends at once here, where no terminal is attached. Other commands only keep a container open for it. */
function isIdle(words: string[]): boolean {
  const line = (words[1] === '-c' ? words.slice(2) : words).join(' ').trim();
  return /^(?:(?:\/usr)?\/bin\/)?(?:(?:ba|da|z|a)?sh(?: -[il]{1,2}| --login)?|sleep infinity|tail -f \/dev\/null)$/.test(line);
}

const ofLambda = /(?:^|\/)(?:aws\/lambda|lambda)\//;
const isPath = (word: string) => word.length <= 1000 && (/^(\/|\.\/)/.test(word) || /^[\w./-]+\.\w{1,5}$/.test(word));

const isName = (word: string) => /^[\w.-]{1,80}$/.test(word);

/** The archive's script that COPY put into a folder of PATH, often under another name. */
function inPath(name: string, { tree, locate }: Archive, inArchive: (path: string) => string | null): string | undefined {
  const found = ['/usr/local/bin', '/usr/bin', '/bin'].map((folder) => `${folder}/${name}`).find((path) => tree.has(locate(path) ?? ''));
  return (found && inArchive(found)) || undefined;
}

function joined(entrypoint: ImageCommand | null, cmd: ImageCommand | null): string[] {
  if (typeof entrypoint?.command === 'string') return parseCommand(entrypoint.command);
  const list = cmd === null ? [] : inList(cmd.command);
  if (entrypoint !== null) return [...entrypoint.command, ...list];
  return cmd === null ? [] : parseCommand(cmd.command);
}

/** A shell line after a list becomes the arguments that run it. */
const inList = (command: string | string[]) => (typeof command === 'string' ? ['/bin/sh', '-c', command] : command);

const inits = new Set(['tini', 'dumb-init', 'catatonit', 'docker-init', 'gosu', 'su-exec', 'docker-entrypoint.sh']);

/** Removes wrappers that only reap processes or change the user: sandboxes do both. */
function withoutWrappers(words: string[], { tree }: Archive): string[] {
  let rest = words;
  for (;;) {
    const program = posix.basename(rest[0] ?? '');
    if (!inits.has(program) || tree.files.some((file) => posix.basename(file) === program)) return rest;
    rest = rest.slice(/^(gosu|su-exec)$/.test(program) ? 2 : 1);
    rest = withoutOptions(rest);
  }
}

/** Options of tini and dumb-init that take a value: `tini -e 143 -- node a.js`. */
const withValue = new Set(['-e', '-p', '-r', '--rewrite']);

function withoutOptions(words: string[]): string[] {
  let at = 0;
  while (words[at]?.startsWith('-') === true) {
    if (words[at] === '--') return words.slice(at + 1);
    at += withValue.has(words[at] ?? '') ? 2 : 1;
  }
  return words.slice(at);
}

function withPaths(line: string, inArchive: (path: string) => string | null): string {
  const place = (path: string) => {
    const found = inArchive(path);
    // A shell searches PATH for a program without a slash.
    return found?.endsWith('.sh') && !found.includes('/') ? `./${found}` : (found ?? path);
  };
  const head = line.slice(0, maxLine).replace(/(^|[\s"'=])(\/[\w./-]{1,500})/g, (_, before: string, path: string) => before + place(path));
  return head + line.slice(maxLine);
}

/**
 * Replaces the program by the name that a sandbox knows, and starts a script of the archive by its interpreter, since archives lose the
 * executable bit.
 */
function runnable(words: string[], { archive, folder }: { archive: Archive; folder: string }): string[] {
  const [program = '', ...rest] = words;
  const path = posix.join(folder, program);
  if (archive.tree.has(path) && (program.includes('/') || /\.(sh|py)$/.test(program))) {
    const by = interpreter((archive.tree.read(path) ?? '').slice(0, 200), program);
    if (by !== null) return [by, program, ...rest];
  }
  const isSystem = /^(\/usr)?\/s?bin\/\w+$/.test(program) && !/\/(python|node)[\d.]*$/.test(program);
  const inside = /^\/[\w./-]{1,500}\/bin\/([\w.-]{1,80})$/.exec(program)?.[1];
  if (inside === undefined || isSystem || inside.endsWith('.sh')) return words;
  return [/^python3?(\.\d{1,2})?$/.test(inside) ? 'python' : inside, ...rest];
}

function interpreter(head: string, program: string): string | null {
  const first = head.split('\n', 1)[0] ?? '';
  if (!first.startsWith('#!')) return program.endsWith('.sh') ? 'sh' : null;
  const name = first
    .slice(2)
    .trim()
    .split(/[\s/]+/)
    .findLast((word) => /^(ba|da)?sh$|^python[\d.]*$|^node$/.test(word));
  if (name === undefined) return null;
  return name.startsWith('python') ? 'python' : name;
}
