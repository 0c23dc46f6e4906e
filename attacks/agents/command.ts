import { execFile } from 'node:child_process';

/** The output of a command; empty when it fails, since the things that it inspects may disappear at any moment. */
export const run = (file: string, args: string[]): Promise<string> =>
  new Promise((resolve) => {
    execFile(file, args, { timeout: 10_000 }, (_, stdout) => resolve(stdout));
  });
