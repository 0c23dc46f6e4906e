import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');

const PATIENCE_MS = 10_000;

/** What a program printed, only when it was `captured`, and how it ended. 127 stands for 'could not be run'. */
export type Outcome = { code: number; output: string };

export type ProgramOptions = { cwd?: string; env?: NodeJS.ProcessEnv; captured?: boolean; signal: AbortSignal };

/** The path of a program that npm installed for the whole workspace. */
export const bin = (name: string) => join(ROOT, 'node_modules', '.bin', name);

/** Runs a program to its end. Aborting asks it to end, and makes it end 10 s later. Never rejects. */
export function runProgram(program: string, args: string[], options: ProgramOptions): Promise<Outcome> {
  const { cwd = ROOT, env = process.env, captured = false, signal } = options;
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, stdio: captured ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'] });
    const chunks: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
    let harder: NodeJS.Timeout | undefined;
    const end = () => {
      child.kill('SIGTERM');
      harder = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
    };
    signal.addEventListener('abort', end, { once: true });
    const settle = (code: number, more = '') => {
      clearTimeout(harder);
      signal.removeEventListener('abort', end);
      resolve({ code, output: Buffer.concat(chunks).toString() + more });
    };
    child.on('error', (error) => settle(127, `${program}: ${error.message}\n`));
    child.on('close', (code, killedBy) => settle(code ?? 128 + constants.signals[killedBy ?? 'SIGTERM']));
    if (signal.aborted) end();
  });
}

/** Aborts with the first Ctrl-C or request to end. */
export function untilInterrupted(): AbortSignal {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort());
  return interrupted.signal;
}
