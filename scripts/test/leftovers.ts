import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Set in the environment of every process of a run, including those that outlive their test. */
const NAME = 'PADDOCK_TEST_RUN';
const POLL_MS = 100;
const MAX_KILL_MS = 5_000;

/** The variable that a process of this run passes to children with a custom environment. */
export function runMark(env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const { [NAME]: mark } = env;
  return mark === undefined ? {} : { [NAME]: mark };
}

export const markOf = (run: string): Record<string, string> => ({ [NAME]: run });

/**
 * Ends the remaining processes of a run: a test that ended before its cleanup leaves its servers. They get SIGTERM first, since a server ends
 * its agents, and SIGKILL after `patienceMs`. Returns their commands. Works only where the system shows environments (Linux).
 */
export async function endLeftovers(run: string, patienceMs = 30_000): Promise<string[]> {
  const left = processesOf(run);
  const commands = left.map(commandOf);
  for (const pid of left) signal(pid, 'SIGTERM');
  await gone(run, patienceMs);
  const kill = () => processesOf(run).forEach((pid) => signal(pid, 'SIGKILL'));
  await gone(run, MAX_KILL_MS, kill);
  return commands;
}

async function gone(run: string, maxMs: number, again?: () => void): Promise<void> {
  for (const end = Date.now() + maxMs; processesOf(run).length > 0 && Date.now() < end; await sleep(POLL_MS)) again?.();
}

function processesOf(run: string): number[] {
  const entry = `${NAME}=${run}`;
  return pids().filter((pid) => pid !== process.pid && read(`/proc/${pid}/environ`).split('\0').includes(entry));
}

function pids(): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').map(Number).filter(Number.isInteger);
}

const commandOf = (pid: number) => `${pid} ${read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim()}`;

/** Empty for a process that has exited or belongs to another user. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // it has exited meanwhile
  }
}
