import { once } from 'node:events';
import { closeSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import type { LogFile } from './log-file.ts';
import { postgresProcesses, processStart } from './processes.ts';
import { settings } from './settings.ts';

const MAX_START_MS = 120_000; // a crash recovery of a busy database takes a while
const FAST_STOP_MS = 15_000;
const QUICK_STOP_MS = 5_000;
const ORPHANS_MS = 5_000;
const POLL_MS = 10;
const WATCH_MS = 250;

/** A running PostgreSQL server: started by this process, or adopted after the process that had started it was killed. */
export type Postmaster = { pid: number; port: number; adopted: boolean; ended: Promise<void> };

/** Finds the server that already runs on the folder. Without one, returns undefined and removes the remains of an earlier server. */
export async function findPostmaster(folder: string, signal: AbortSignal): Promise<Postmaster | undefined> {
  const file = readPidFile(folder);
  if (file && postgresProcesses(folder).includes(file.pid)) {
    return { pid: file.pid, port: file.port, adopted: true, ended: watch(file.pid) };
  }
  await endOrphans(folder, signal);
  // PostgreSQL starts only if the pid in the file is free. By now it may belong to a zombie or another program.
  if (file) rmSync(join(folder, 'postmaster.pid'), { force: true });
  return undefined;
}

interface PostmasterSettings {
  port: number;
  log: LogFile;
  maxConnections?: number | undefined;
}

export function startPostmaster(cluster: Cluster, { port, log, maxConnections }: PostmasterSettings): Postmaster {
  const descriptor = log.open();
  const args = (folder: string) => ['-D', folder, ...settings(port, maxConnections)];
  const child = cluster.run('postgres', { folder: cluster.folder, args, stdio: ['ignore', descriptor, descriptor] });
  closeSync(descriptor);
  child.unref();
  const ended = once(child, 'exit').then(
    () => undefined,
    () => undefined, // the program could not be run at all; the wait for readiness reports it
  );
  return { pid: child.pid ?? -1, port, adopted: false, ended };
}

/** Waits until the server accepts connections. Throws with the end of its log if it ends first. */
export async function untilReady(
  postmaster: Postmaster,
  { folder, log }: { folder: string; log: LogFile },
  signal: AbortSignal,
): Promise<void> {
  const state = { ended: postmaster.pid === -1 };
  void postmaster.ended.then(() => (state.ended = true));
  for (const deadline = performance.now() + MAX_START_MS; performance.now() < deadline; await delay(POLL_MS, undefined, { signal })) {
    const file = readPidFile(folder);
    if (file?.pid === postmaster.pid && file.status === 'ready') return;
    if (state.ended) throw new Error(`PostgreSQL ended while starting. Its log says:\n${log.tail(12)}`);
  }
  throw new Error(`PostgreSQL was not ready after ${MAX_START_MS / 1000} s. Its log says:\n${log.tail(12)}`);
}

/** Stops the server: open transactions are rolled back, connections closed, data written. Escalates only if that takes too long. */
export async function stopPostmaster({ pid, ended }: Postmaster): Promise<void> {
  const steps = [
    ['SIGINT', FAST_STOP_MS],
    ['SIGQUIT', QUICK_STOP_MS],
    ['SIGKILL', QUICK_STOP_MS],
  ] as const;
  for (const [signal, patienceMs] of steps) {
    if (!send(pid, signal)) return;
    const patience = new AbortController();
    const late = delay(patienceMs, 'late', { signal: patience.signal });
    if ((await Promise.race([ended, late])) !== 'late') return patience.abort();
  }
}

function send(pid: number, signal: NodeJS.Signals): boolean {
  if (pid <= 0 || processStart(pid) === undefined) return false;
  return process.kill(pid, signal);
}

/** Backends notice within moments that their postmaster was killed. Starting beside one that still writes would corrupt the data. */
async function endOrphans(folder: string, signal: AbortSignal): Promise<void> {
  for (const deadline = performance.now() + ORPHANS_MS; performance.now() < deadline; await delay(POLL_MS, undefined, { signal })) {
    if (postgresProcesses(folder).length === 0) return;
  }
  for (const pid of postgresProcesses(folder)) send(pid, 'SIGKILL');
  for (const deadline = performance.now() + ORPHANS_MS; performance.now() < deadline; await delay(POLL_MS, undefined, { signal })) {
    if (postgresProcesses(folder).length === 0) return;
  }
  throw new Error(`PostgreSQL processes of an earlier run do not end: ${postgresProcesses(folder).join(', ')}.`);
}

/** Resolves when an adopted server has exited. It is not a child, so it is polled. */
async function watch(pid: number): Promise<void> {
  const started = processStart(pid);
  const lives = () => started !== undefined && processStart(pid) === started;
  while (lives()) await delay(WATCH_MS, undefined, { ref: false });
}

/** PostgreSQL's own record: pid, folder, start time, port, socket folder, address, memory key, status. */
function readPidFile(folder: string): { pid: number; port: number; status: string } | undefined {
  let text: string;
  try {
    text = readFileSync(join(folder, 'postmaster.pid'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const lines = text.split('\n');
  return { pid: Number(lines[0]), port: Number(lines[3]), status: lines[7]?.trim() ?? '' };
}
