import { spawn } from 'node:child_process';

export interface RunOptions {
  stdin?: string;
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Exit codes besides 0 that are not failures. */
  accept?: number[];
}

export interface RunResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The tools take milliseconds. On a busy machine a change of the network's rules has taken more than ten seconds. */
const MAX_RUN_MS = 30_000;
const MAX_OUTPUT_CHARACTERS = 4 * 1024 * 1024;
const MAX_ERROR_CHARACTERS = 16_384;

/** For the host's tools: servers started by cron or systemd often lack the sbin folders in PATH. */
export const toolEnvironment = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };

/** Runs a host tool until it exits. Rejects with its error text when it fails, cannot be started, or takes too long. */
export function run(command: string, args: string[], options: RunOptions = {}): Promise<RunResult> {
  const { promise, resolve, reject } = Promise.withResolvers<RunResult>();
  const timeout = AbortSignal.timeout(options.timeoutMs ?? MAX_RUN_MS);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  const child = spawn(command, args, { env: toolEnvironment, stdio: ['pipe', 'pipe', 'pipe'], signal, killSignal: 'SIGKILL' });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (stdout.length < MAX_OUTPUT_CHARACTERS) stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (stderr.length < MAX_ERROR_CHARACTERS) stderr += text;
  });
  child.on('error', (cause) => reject(new Error(`${command} did not run: ${cause.message}`, { cause })));
  // A tool may exit before it has read its whole input. Its exit code then shows the cause, not the broken pipe.
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.stdin ?? '');
  child.on('close', (code) => {
    if (code === 0 || (code !== null && options.accept?.includes(code))) resolve({ code, stdout, stderr });
    else reject(new Error(`${command} ${args.slice(0, 4).join(' ')} failed (${code ?? 'killed'}): ${stderr.trim().slice(0, 1000)}`));
  });
  return promise;
}
