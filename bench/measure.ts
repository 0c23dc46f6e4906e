import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { cpus, loadavg, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Skipped } from './skipped.ts';

export const machine = () => ({
  cores: cpus().length,
  cpu: cpus()[0]?.model ?? 'unknown',
  node: process.version,
  /** The load of the machine: processes that wanted a core in the minute before. */
  load: Number(loadavg()[0]!.toFixed(1)),
});

export const median = (values: number[]) => quantile(values, 0.5);

export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Seconds of CPU, user and system, that the processes have used so far. An exited process counts as nothing. */
export function cpuSeconds(pids: number[]): number {
  const ticksPerSecond = 100; // USER_HZ is 100 on every Linux that Node runs on
  return pids.reduce((sum, pid) => {
    if (!existsSync(`/proc/${pid}/stat`)) return sum;
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return sum + (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  }, 0);
}

/** The process and all its descendants. */
export function familyOf(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) => {
    const file = `/proc/${pid}/task/${task}/children`;
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ').filter(Boolean).map(Number) : [];
  });
  return [pid, ...children.flatMap(familyOf)];
}

/** Proportional set size of the processes, in MiB. */
export const memoryMb = (pids: number[]) =>
  pids.reduce((sum, pid) => sum + Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0), 0) / 1024;

/** Maximum number of files, and so of connections, that a process may have open. */
export const openFilesAllowed = () =>
  Number(/^Max open files +\S+ +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Number.POSITIVE_INFINITY);

const interleavedMs = 50_000;

/**
 * Runs the works in turn, `rounds` times: A B C A B C … Returns the results of each work, in order. A machine that is too slow for all rounds
 * runs fewer, but at least three.
 */
export async function interleave<T = number>(rounds: number, works: ((round: number) => Promise<T>)[]): Promise<T[][]> {
  const results: T[][] = works.map(() => []);
  const end = performance.now() + interleavedMs;
  for (let round = 0; round < rounds && (round < 3 || performance.now() < end); round++)
    for (const [at, work] of works.entries()) results[at]!.push(await work(round));
  return results;
}

/** The path of a program. Throws a Skipped with the package to install if it is missing. */
export function program(name: string, debianPackage: string): string {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (!found) throw new Skipped(`${name} is not installed (apt-get install ${debianPackage})`);
  return found;
}

/** A child process; `close` ends it by its id. */
export function startProcess(file: string, args: string[], options: SpawnOptions = {}) {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  endWithUs(child);
  const exited = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (piece: Buffer) => {
      output = (output + piece.toString()).slice(-8_000);
    });
  return {
    pid: child.pid!,
    output: () => output,
    async close(signal: NodeJS.Signals = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill(signal);
      const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await exited;
      clearTimeout(late);
    },
    /** Waits until the output contains the text. Throws with the output if the process exits. */
    says: (text: string, ms = 30_000) => until(`${file} says '${text}'`, () => failIfOver(child, output) || output.includes(text), { ms }),
    /** Waits until a process listens on the port. */
    listens: (port: number, ms = 30_000) =>
      until(`${file} listens on ${port}`, async () => failIfOver(child, output) || (await isOpen(port)), { ms }),
  };
}

/** Ends the child when the bench exits. */
export function endWithUs(child: ChildProcess) {
  const end = () => void child.kill('SIGTERM');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
}

function failIfOver(child: ChildProcess, output: string): false {
  if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended with ${child.exitCode}:\n${output}`);
  return false;
}

type Patience = { ms?: number; everyMs?: number };

export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  { ms = 30_000, everyMs = 20 }: Patience = {},
): Promise<void> {
  for (const end = performance.now() + ms; performance.now() < end; await sleep(everyMs)) if (await holds()) return;
  throw new Error(`waited ${ms} ms in vain: ${what}`);
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => (socket.destroy(), resolve(true)));
    socket.on('error', () => resolve(false));
  });
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

/** Creates a folder for the work and removes it afterwards. */
export async function inFolder<T>(work: (folder: string) => Promise<T>, below = tmpdir()): Promise<T> {
  const folder = mkdtempSync(join(below, 'paddock-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const versionOf = (file: string, ...args: string[]) => execFileSync(file, args, { encoding: 'utf8' }).split('\n')[0]!.trim();
