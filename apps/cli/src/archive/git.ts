import { execFile } from 'node:child_process';

const PATIENCE_MS = 10_000;
const MAX_BYTES = 64 * 1024 ** 2;

/** Runs git in a folder and returns its output; undefined if it fails. */
export type Git = (args: string[]) => Promise<string | undefined>;

/**
 * Only commands that run no program of the repository's own settings may be used: the folder may come from a stranger. `log` with its
 * signatures off, `ls-files`, `symbolic-ref` and `diff-index --cached` run none; `status` and `diff` run filters. fsmonitor is off here.
 */
export function gitIn(folder: string, signal: AbortSignal): Git {
  const env = { ...process.env, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' };
  const options = { cwd: folder, env, signal, timeout: PATIENCE_MS, maxBuffer: MAX_BYTES, encoding: 'utf8' } as const;
  return (args) =>
    new Promise((resolve, reject) => {
      execFile('git', ['--no-pager', '-c', 'core.fsmonitor=false', ...args], options, (error, stdout) => {
        if (signal.aborted) reject(signal.reason as Error);
        else resolve(error ? undefined : stdout);
      });
    });
}

export interface IndexEntry {
  /** Object id of the contents. */
  id: string;
  /** A symbolic link, whose contents are the path that it leads to. */
  isLink: boolean;
  /** Last modification in seconds since 1970. */
  seconds: number;
  size: number;
}

/** Files in git's index, by name relative to the folder; undefined if git does not know the folder. */
export async function readIndex(git: Git): Promise<Map<string, IndexEntry> | undefined> {
  const output = await git(['ls-files', '--stage', '--debug', '-z']);
  return output === undefined ? undefined : parseIndex(output);
}

/** Each entry is `MODE ID STAGE<tab>NAME`, NUL, and then lines with times and sizes. */
function parseIndex(output: string): Map<string, IndexEntry> {
  const index = new Map<string, IndexEntry>();
  const [first = '', ...rest] = output.split('\0');
  let head = first;
  for (const part of rest) {
    const end = part.lastIndexOf('\n') + 1;
    const facts = part.slice(0, Math.min(end, 1000));
    const tab = head.indexOf('\t');
    const [mode, id = ''] = head.slice(0, tab).split(' ');
    const seconds = Number(/ mtime: (\d{1,15}):/.exec(facts)?.[1]);
    index.set(head.slice(tab + 1), { id, isLink: mode === '120000', seconds, size: Number(/ size: (\d{1,15})/.exec(facts)?.[1]) });
    head = part.slice(end);
  }
  return index;
}
