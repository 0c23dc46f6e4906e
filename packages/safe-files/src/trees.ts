import { spawn } from 'node:child_process';
import { lchownSync, lstatSync } from 'node:fs';
import { mustBeFolder, reach } from './reach.ts';

const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' };
const TIMEOUT_MS = 300_000;
/** Maximum error output of the program that is kept. */
const MAX_SAID_CHARACTERS = 8 * 1024;

/**
 * Removes a whole tree, including folders deeper than any path can name, which Node cannot remove. The system's own tool moves between
 * folders by descriptors, follows no link, and stays on the file system. It is killed when the signal aborts.
 */
export async function removeTree(path: string, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return;
  await tool('rm', ['-rf', '--one-file-system', '--', path], signal);
}

/**
 * Changes the owner of a folder and its content; links themselves, not their targets. The folder itself is last: while it has its former
 * owner, the change was interrupted or failed.
 */
export async function giveTree(path: string, owner: number): Promise<void> {
  await tool('find', [path, '-mindepth', '1', '-maxdepth', '1', '-exec', 'chown', '-hRP', `${owner}:${owner}`, '--', '{}', '+']);
  lchownSync(path, owner, owner);
}

/**
 * Calls `use` with a path to this very folder, even if another entry replaces it in the meantime. The path may be the working directory of
 * a program started in the call. Undefined if there is no folder.
 */
export function inFolder<T>(root: string, path: string, use: (place: string) => T): T | undefined {
  return reach({ root, path }, (held) => use(`/proc/${process.pid}/fd/${mustBeFolder(held, path).fd}`));
}

/** Reads all error output of the program and keeps its end, since a tenant influences how much the program prints. */
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
