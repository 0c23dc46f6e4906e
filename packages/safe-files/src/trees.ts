import { execFile } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { promisify } from 'node:util';
import { mustBeFolder, reach } from './reach.ts';

const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' };
const LONGEST_MS = 300_000;
const OUTPUT_BYTES = 64 * 1024;

/**
 * Removes a whole tree. Of tenant code also what Node cannot: folders within folders, deeper than any path can name. The system's own
 * tool goes from folder to folder by descriptors, follows no link, and stays on the file system. It ends with the signal, if one is given.
 */
export async function removeTree(path: string, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return;
  await tool('rm', ['-rf', '--one-file-system', '--', path], signal);
}

/** Gives a folder with all in it to a user; links themselves, not what they lead to. */
export async function giveTree(path: string, owner: number): Promise<void> {
  await tool('chown', ['-hRP', `${owner}:${owner}`, '--', path]);
}

/**
 * Calls with a path of a folder below `root` that leads to this very folder, whatever takes its place meanwhile: the working directory
 * of a program that is started in the call. Undefined when there is none.
 */
export function inFolder<T>(root: string, path: string, use: (place: string) => T): T | undefined {
  return reach(root, path, (held) => use(`/proc/${process.pid}/fd/${mustBeFolder(held, path).fd}`));
}

async function tool(program: string, args: string[], signal?: AbortSignal): Promise<void> {
  const options = { env: ENVIRONMENT, timeout: LONGEST_MS, killSignal: 'SIGKILL', maxBuffer: OUTPUT_BYTES, signal } as const;
  await promisify(execFile)(program, args, options);
}
