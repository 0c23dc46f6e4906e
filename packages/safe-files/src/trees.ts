import { spawn } from 'node:child_process';
import { lchownSync, lstatSync } from 'node:fs';
import { mustBeFolder, reach } from './reach.ts';

const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' };
const TIMEOUT_MS = 300_000;
/** Of the program's error output. */
const MAX_SAID_CHARACTERS = 8 * 1024;

/**
 * Removes a whole tree, also folders that lie deeper than any path can name, which Node cannot remove. The system's own tool goes from
 * folder to folder by descriptors, follows no link, and stays on the file system. It ends with the signal.
 */
export async function removeTree(path: string, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return;
  await tool('rm', ['-rf', '--one-file-system', '--', path], signal);
}

/**
 * Gives a folder with its content to a user; of links the links themselves. The folder itself comes last: as long as it has its former
 * owner, the change was cut short or failed.
 */
export async function giveTree(path: string, owner: number): Promise<void> {
  await tool('find', [path, '-mindepth', '1', '-maxdepth', '1', '-exec', 'chown', '-hRP', `${owner}:${owner}`, '--', '{}', '+']);
  lchownSync(path, owner, owner);
}

/**
 * Calls `use` with a path that leads to this very folder, even if another entry replaces the folder meanwhile: the working directory
 * of a program that is started in the call. Undefined if there is no folder.
 */
export function inFolder<T>(root: string, path: string, use: (place: string) => T): T | undefined {
  return reach({ root, path }, (held) => use(`/proc/${process.pid}/fd/${mustBeFolder(held, path).fd}`));
}

/** Reads all error output of the program and keeps the last of it: a tenant decides how much the program complains. */
async function tool(program: string, args: string[], signal?: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const child = spawn(program, args, {
    env: ENVIRONMENT,
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
    signal,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-MAX_SAID_CHARACTERS);
  });
  child.on('error', reject);
  child.on('close', (code, killer) => {
    if (code === 0) resolve();
    else reject(new Error(`${program} ended with ${killer ?? code}: ${said.trim()}`));
  });
  await promise;
}
