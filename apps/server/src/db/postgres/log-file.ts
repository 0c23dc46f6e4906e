import { copyFileSync, openSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { isDiskFull } from '../connect.ts';

const MAX_BYTES = 8 * 1024 * 1024;
const CHECK_MS = 60_000;

/** PostgreSQL's own log: a file, since PostgreSQL may outlive this process. At most two files of 8 MiB are kept while this process runs. */
export type LogFile = {
  /** A file descriptor for appending; the caller closes it. */
  open: () => number;
  /** The end of the file, to explain why PostgreSQL stopped. */
  tail: (lines: number) => string;
  close: () => void;
};

export function logFile(path: string): LogFile {
  // Copied and truncated instead of renamed: PostgreSQL keeps its descriptor, which appends.
  const trim = () => {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (size <= MAX_BYTES) return;
    try {
      copyFileSync(path, `${path}.1`);
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      rmSync(`${path}.1`, { force: true }); // an incomplete copy is useless, and the truncation below frees space
    }
    truncateSync(path);
  };
  trim();
  const timer = setInterval(trim, CHECK_MS).unref();
  return {
    open: () => openSync(path, 'a', 0o600),
    tail: (lines) =>
      statSync(path, { throwIfNoEntry: false }) ? readFileSync(path, 'utf8').trimEnd().split('\n').slice(-lines).join('\n') : '',
    close: () => clearInterval(timer),
  };
}
