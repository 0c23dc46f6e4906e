import { readdirSync, readFileSync } from 'node:fs';
import type { Activity } from '../../driver.ts';
import { cgroupCpuMs } from '../limits/cgroup.ts';
import type { Folder, SandboxRecord } from '../records/records.ts';
import { sandboxProcesses } from './members.ts';
import { isOpening, socketInodes } from './ports.ts';
import { parseStat, readStat } from './processes.ts';

const TICK_MS = 10;
/** R: runs or waits for a processor. D: waits for a disk or a network file system. */
const BUSY_STATES = /^[RD]$/;

/** The activity of an instance that has exited. */
export const noActivity: Activity = { cpu_ms: 0, read_bytes: 0, received_bytes: 0, last_start: 0, is_waiting: false, is_connecting: false };

/** The work of a sandbox's processes since its start, and whether one of them currently wants a processor or a disk. */
export function processActivity(folder: Folder, record: SandboxRecord): Activity {
  const processes = sandboxProcesses(folder, record);
  const [first] = processes;
  const sharesNetwork = record.mode === 'unsandboxed';
  return {
    cpu_ms: (record.cgroup && cgroupCpuMs(record.cgroup)) ?? sum(processes, readCpuMs),
    read_bytes: sum(processes, bytesRead),
    received_bytes: first === undefined || sharesNetwork ? 0 : bytesReceived(first),
    last_start: Math.max(0, ...processes.map((pid) => readStat(pid)?.start ?? 0)),
    is_waiting: processes.some(isWaiting),
    is_connecting: first !== undefined && isOpening(first, sharesNetwork ? socketInodes(processes) : undefined),
  };
}

/** Includes the time of children that have exited. */
function readCpuMs(pid: number): number {
  const stat = readStat(pid);
  return stat === undefined ? 0 : (stat.cpuTicks + stat.childTicks) * TICK_MS;
}

/**
 * Bytes read through system calls, whatever the source (caches, disks, pipes), plus those that came from a disk, also into mapped memory.
 */
function bytesRead(pid: number): number {
  const text = readOrEmpty(`/proc/${pid}/io`);
  return Number(/^rchar: (\d+)/m.exec(text)?.[1] ?? 0) + Number(/^read_bytes: (\d+)/m.exec(text)?.[1] ?? 0);
}

/** Bytes received by the sandbox's own network, without its loopback. */
function bytesReceived(pid: number): number {
  return sum(readOrEmpty(`/proc/${pid}/net/dev`).split('\n'), (line) => {
    const [name = '', figures = ''] = line.split(':');
    return name.trim() === 'lo' ? 0 : Number.parseInt(figures, 10) || 0;
  });
}

function isWaiting(pid: number): boolean {
  return listThreads(pid).some((thread) => BUSY_STATES.test(parseStat(readOrEmpty(`/proc/${pid}/task/${thread}/stat`))?.state ?? ''));
}

function listThreads(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return []; // the process has exited
  }
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // the process has exited, or may no longer be read
  }
}

const sum = <T>(items: T[], value: (item: T) => number) => items.reduce((total, item) => total + value(item), 0);
