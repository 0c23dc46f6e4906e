import { execFile } from 'node:child_process';

const PATIENCE_MS = 10_000;
const MAX_BYTES = 64 * 1024 ** 2;

interface Dated {
  /** Relative to the folder, with slashes. */
  name: string;
  size: number;
  mtime: Date;
}

/**
 * Dates the files that are as git checked them out with the commit: a clone gives all of them the moment of the cloning, and the platform
 * looks for packages of the archive's newest date when the newest ones break it. What was changed since, or git does not hold, keeps its own.
 * Where git is not there, or tells nothing of the folder, so does everything.
 */
export async function withCommitDate<File extends Dated>(folder: string, files: File[], signal: AbortSignal): Promise<File[]> {
  const ask = (args: string[]) => git(folder, args, signal);
  const [date, index] = await Promise.all([ask(['log', '-1', '--no-show-signature', '--format=%ct']), ask(['ls-files', '--debug', '-z'])]);
  if (!date || index === undefined) return files;
  const commit = new Date(Number(date) * 1000);
  const held = heldFiles(index);
  return files.map((file) => {
    const known = held.get(file.name);
    const isAsHeld = known?.size === file.size && known.seconds === Math.floor(file.mtime.getTime() / 1000);
    return isAsHeld && commit < file.mtime ? { ...file, mtime: commit } : file;
  });
}

interface Held {
  /** When the file was changed last, in seconds since 1970, as git saw it. */
  seconds: number;
  size: number;
}

/** What `git ls-files --debug -z` tells: a name that ends with NUL, then lines with times and sizes, then the next name. */
function heldFiles(index: string): Map<string, Held> {
  const held = new Map<string, Held>();
  const [first = '', ...parts] = index.split('\0');
  let name = first;
  for (const part of parts) {
    const end = part.lastIndexOf('\n') + 1;
    const facts = part.slice(0, Math.min(end, 1000));
    held.set(name, { seconds: Number(/ mtime: (\d{1,15}):/.exec(facts)?.[1]), size: Number(/ size: (\d{1,15})/.exec(facts)?.[1]) });
    name = part.slice(end);
  }
  return held;
}

/** What git prints. It reads what it holds alone: a folder from elsewhere may have settings that name programs to run. */
function git(folder: string, args: string[], signal: AbortSignal): Promise<string | undefined> {
  const env = { ...process.env, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' };
  const options = { cwd: folder, env, signal, timeout: PATIENCE_MS, maxBuffer: MAX_BYTES, encoding: 'utf8' } as const;
  return new Promise((resolve, reject) => {
    execFile('git', ['--no-pager', '-c', 'core.fsmonitor=false', ...args], options, (error, stdout) => {
      if (signal.aborted) reject(signal.reason as Error);
      else resolve(error ? undefined : stdout);
    });
  });
}
