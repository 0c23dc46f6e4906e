import { execFile } from 'node:child_process';

/** What a command prints; nothing when it fails, since what it looks at may go at any moment. */
export const run = (file: string, args: string[]): Promise<string> =>
  new Promise((resolve) => {
    execFile(file, args, { timeout: 10_000 }, (_, stdout) => resolve(stdout));
  });
