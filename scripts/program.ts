import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');

const PATIENCE_MS = 10_000;
const MAX_DRAIN_MS = 2_000;
const MAX_CAPTURED_BYTES = 4 * 1024 ** 2;

/** A program's output, if it was `captured`, and its exit code. 127 means that it could not be run. */
export type Outcome = { code: number; output: string };

export type ProgramOptions = {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Captures the output; only the end of a long output is retained. */
  captured?: boolean;
  /** Ends the program's children with it. */
  ownGroup?: boolean;
  /** Called on the program's exit. Its output may still be open. */
  onExit?: () => void;
  signal: AbortSignal;
};

/** The path of a program that npm installed for the whole workspace. */
export const bin = (name: string) => join(ROOT, 'node_modules', '.bin', name);

/** Runs a program to its end. An abort sends SIGTERM, and SIGKILL 10 s later. Never rejects. */
export function runProgram(program: string, args: string[], options: ProgramOptions): Promise<Outcome> {
  const { cwd = ROOT, env = process.env, captured = false, ownGroup = false, onExit, signal } = options;
  return new Promise((resolve) => {
    const stdio = captured ? (['ignore', 'pipe', 'pipe'] as const) : (['ignore', 'inherit', 'inherit'] as const);
    const child = spawn(program, args, { cwd, env, stdio: [...stdio], detached: ownGroup });
    const printed = lastOutput();
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', printed.add);
    let harder: NodeJS.Timeout | undefined;
    let unread: NodeJS.Timeout | undefined;
    const kill = (signal: NodeJS.Signals) => (ownGroup && child.pid !== undefined ? killGroup(child.pid, signal) : child.kill(signal));
    const end = () => {
      kill('SIGTERM');
      harder = setTimeout(() => kill('SIGKILL'), PATIENCE_MS);
    };
    signal.addEventListener('abort', end, { once: true });
    const settle = (code: number, more = '') => {
      clearTimeout(harder);
      clearTimeout(unread);
      signal.removeEventListener('abort', end);
      resolve({ code, output: printed.text() + more });
    };
    child.on('error', (error) => settle(127, `${program}: ${error.message}\n`));
    child.on('exit', () => {
      onExit?.();
      // A child that the program left behind may keep the output open for ever.
      unread = setTimeout(() => [child.stdout, child.stderr].forEach((stream) => stream?.destroy()), MAX_DRAIN_MS);
    });
    child.on('close', (code, killedBy) => settle(code ?? 128 + constants.signals[killedBy ?? 'SIGTERM']));
    if (signal.aborted) end();
  });
}

/** The end of an output, in whole chunks. */
function lastOutput() {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let left = 0;
  return {
    add: (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      for (; bytes > MAX_CAPTURED_BYTES && chunks.length > 1; left++) bytes -= chunks.shift()?.length ?? 0;
    },
    text: () => `${left > 0 ? '… the beginning of a very long output is left out …\n' : ''}${Buffer.concat(chunks).toString()}`,
  };
}

function killGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // otherwise the whole group has exited
  }
}

/** Aborts on the first SIGINT or SIGTERM. */
export function untilInterrupted(): AbortSignal {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort());
  return interrupted.signal;
}
