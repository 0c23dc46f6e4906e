import { execFile } from 'node:child_process';
import { explain } from './explain-failure.ts';

/**
 * Runs a package client of the host itself, to download Paddock's own pinned tools. The only values of an archive among the arguments are
 * checked versions. An abort is reported after the command has ended, so nothing writes to folders that are removed next.
 */
export function hostCommand(
  file: string,
  args: string[],
  options: { cwd?: string; signal: AbortSignal; timeoutMs?: number; env?: NodeJS.ProcessEnv },
): Promise<string> {
  const { cwd, signal, timeoutMs = 180_000, env = process.env } = options;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const settings = { cwd, env, timeout: timeoutMs, killSignal: 'SIGKILL' as const, maxBuffer: 4 * 1024 ** 2 };
    const child = execFile(file, args, settings, (error, stdout, stderr) => {
      signal.removeEventListener('abort', end);
      if (signal.aborted) reject(signal.reason);
      else if (error === null) resolve(stdout);
      else {
        const { reason } = explain(`${stderr}\n${stdout}`.split('\n'));
        reject(new Error(`${file} ${args[0] ?? ''} failed: ${reason || error.message}`, { cause: error }));
      }
    });
    const end = () => child.kill('SIGKILL');
    signal.addEventListener('abort', end, { once: true });
  });
}
