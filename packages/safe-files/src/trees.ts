import { spawn } from 'node:child_process';
import { lchownSync, lstatSync } from 'node:fs';
import { mustBeFolder, reach } from './reach.ts';

const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' };
const TIMEOUT_MS = 300_000;
/** Of what the program says, in characters. */
const SAID_MOST = 8 * 1024;

/**
 * Removes a whole tree. Of tenant code also what Node cannot: folders within folders, deeper than any path can name. The system's own
 * tool goes from folder to folder by descriptors, follows no link, and stays on the file system. It ends with the signal, if one is given.
 */
export async function removeTree(path: string, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return;
  await tool('rm', ['-rf', '--one-file-system', '--', path], signal);
}

/**
 * Gives a folder with all in it to a user; links themselves, not what they lead to. The folder itself comes last, and only after all in it
 * was given: until then its owner tells that this was cut short or failed.
 */
export async function giveTree(path: string, owner: number): Promise<void> {
  await tool('find', [path, '-mindepth', '1', '-maxdepth', '1', '-exec', 'chown', '-hRP', `${owner}:${owner}`, '--', '{}', '+']);
  lchownSync(path, owner, owner);
}

/**
 * Calls with a path of a folder below `root` that leads to this very folder, whatever takes its place meanwhile: the working directory
 * of a program that is started in the call. Undefined when there is none.
 */
export function inFolder<T>(root: string, path: string, use: (place: string) => T): T | undefined {
  return reach(root, path, (held) => use(`/proc/${process.pid}/fd/${mustBeFolder(held, path).fd}`));
}

/** What the program says is read to its end, and the last of it told: a tenant decides how much it complains of. */
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
    said = (said + text).slice(-SAID_MOST);
  });
  child.on('error', reject);
  child.on('close', (code, killer) => {
    if (code === 0) resolve();
    else reject(new Error(`${program} ended with ${killer ?? code}: ${said.trim()}`));
  });
  await promise;
}
