import { execFile } from 'node:child_process';
import { explain } from './explain-failure.ts';

/** Runs a package client of the host itself, to fetch our own pinned tools. Never with values of an archive other than checked versions. */
export function hostCommand(
  file: string,
  args: string[],
  options: { cwd?: string; signal: AbortSignal; timeoutMs?: number; env?: NodeJS.ProcessEnv },
): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      file,
      args,
      {
        cwd: options.cwd,
        signal: options.signal,
        timeout: options.timeoutMs ?? 180_000,
        maxBuffer: 4 * 1024 ** 2,
        env: options.env ?? process.env,
      },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else
          reject(
            new Error(`${file} ${args[0] ?? ''} failed: ${explain(`${stderr}\n${stdout}`.split('\n')).reason || error.message}`, {
              cause: error,
            }),
          );
      },
    );
  });
}
