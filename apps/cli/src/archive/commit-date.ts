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
 * Gives unchanged files the date of the commit. A clone dates all files with the moment of cloning, and the platform tries packages as of the
 * archive's newest date when the newest ones break it. Files that were changed since, or that git does not track, keep their date. So do
 * all files if git is missing or does not know the folder.
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
  /** Last modification in seconds since 1970, according to git. */
  seconds: number;
  size: number;
}

/** Parses the output of `git ls-files --debug -z`: a name that ends with NUL, then lines with times and sizes, then the next name. */
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

/** The output of git. Its fsmonitor is off: a folder from elsewhere may have settings that name programs to run. */
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
