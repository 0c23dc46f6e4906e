import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Limits } from '../../driver.ts';
import { type Cgroup, get, put, putIfPossible, tryRemove } from './cgroup-files.ts';
import { type CgroupRoot, cgroupOf } from './cgroup-root.ts';

const MIB = 1024 * 1024;
const PERIOD_US = 100_000;
/**
 * CPU weights, which only matter while a core is contended. The platform (the kernel's default of 100) comes before agents. Agents, which
 * somebody may be waiting for, come before builds. A long build gets more than a short one, or a busy machine would never let it finish.
 */
const WEIGHTS = { instance: 25, 'long build': 15, build: 6 };
/** Processes of the sandbox itself: two of bwrap, and the shell that becomes bwrap. */
const SANDBOX_PROCESSES = 3;

export type CgroupKind = keyof typeof WEIGHTS;

export function createCgroup(root: CgroupRoot, name: string, { limits, kind }: { limits: Limits; kind: CgroupKind }): Cgroup {
  const cgroup = cgroupOf(root, name);
  const { folders } = cgroup;
  for (const folder of new Set(Object.values(folders))) mkdirSync(folder, { recursive: true });
  const memory = String(limits.memory_mb * MIB);
  const quota = Math.max(1000, Math.round(limits.cpus * PERIOD_US));
  const processes = String(limits.processes + SANDBOX_PROCESSES);
  if (root.version === 1) {
    put(folders.memory, 'memory.limit_in_bytes', memory);
    putIfPossible(folders.memory, 'memory.memsw.limit_in_bytes', memory);
    put(folders.cpu, 'cpu.cfs_period_us', String(PERIOD_US));
    put(folders.cpu, 'cpu.cfs_quota_us', String(quota));
  } else {
    put(folders.memory, 'memory.max', memory);
    putIfPossible(folders.memory, 'memory.swap.max', '0');
    put(folders.cpu, 'cpu.max', `${quota} ${PERIOD_US}`);
  }
  weigh(root.version, folders.cpu, WEIGHTS[kind]);
  put(folders.pids, 'pids.max', processes);
  return cgroup;
}

/** A weight that cannot be set is not an error: a container may offer the limits without it. */
function weigh(version: 1 | 2, folder: string, weight: number): void {
  if (version === 1) putIfPossible(folder, 'cpu.shares', String(Math.round((weight * 1024) / 100)));
  else putIfPossible(folder, 'cpu.weight', String(weight));
}

/**
 * Makes the group run only while no other group wants the processor (`cpu.idle`, Linux 5.15), or ends that. On older kernels it gets a
 * small weight.
 */
export function setYielding({ version, folders }: Cgroup, kind: CgroupKind, yields: boolean): void {
  const { cpu } = folders;
  if (!existsSync(join(cpu, 'cpu.idle'))) return weigh(version, cpu, yields ? 1 : WEIGHTS[kind]);
  putIfPossible(cpu, 'cpu.idle', yields ? '1' : '0');
  if (!yields) weigh(version, cpu, WEIGHTS[kind]); // the kernel has overwritten the weight
}

/** Files into which a process writes 0 to enter the group. */
export function cgroupEntries(cgroup: Cgroup): string[] {
  return [...new Set(Object.values(cgroup.folders))].map((folder) => join(folder, 'cgroup.procs'));
}

export function cgroupProcesses(cgroup: Cgroup): number[] {
  return (get(cgroup.folders.pids, 'cgroup.procs') ?? '').split('\n').filter(Boolean).map(Number);
}

/** Number of times that the kernel killed a process of the group because of its memory limit. */
export function oomKills(cgroup: Cgroup): number {
  const text = get(cgroup.folders.memory, cgroup.version === 1 ? 'memory.oom_control' : 'memory.events') ?? '';
  return field(text, 'oom_kill');
}

/** Number of times that the kernel refused a new process or thread to a process of the group. */
export function forksRefused({ folders }: Cgroup): number {
  return field(get(folders.pids, 'pids.events') ?? '', 'max');
}

/** Undefined once the group is gone. */
export function cgroupCpuMs({ version, folders }: Cgroup): number | undefined {
  const text = version === 1 ? get(folders.cpuacct, 'cpuacct.usage') : get(folders.cpu, 'cpu.stat');
  if (text === undefined) return undefined;
  return version === 1 ? Number(text) / 1e6 : field(text, 'usage_usec') / 1000;
}

export function cgroupUsage(cgroup: Cgroup): { cpu_ms: number; memory_bytes: number; processes: number } | undefined {
  const { memory } = cgroup.folders;
  const v1 = cgroup.version === 1;
  const used = get(memory, v1 ? 'memory.usage_in_bytes' : 'memory.current');
  if (used === undefined) return undefined;
  const idleCache = field(get(memory, 'memory.stat') ?? '', v1 ? 'total_inactive_file' : 'inactive_file');
  return {
    cpu_ms: Math.round(cgroupCpuMs(cgroup) ?? 0),
    memory_bytes: Math.max(0, Number(used) - idleCache),
    processes: cgroupProcesses(cgroup).length,
  };
}

/** Ends all processes in the group and removes the group. Throws after five seconds. */
export async function removeCgroup(cgroup: Cgroup): Promise<void> {
  const folders = [...new Set(Object.values(cgroup.folders))];
  const deadline = performance.now() + 5000;
  for (;;) {
    for (const pid of cgroupProcesses(cgroup)) killQuietly(pid);
    const left = folders.filter((folder) => !tryRemove(folder));
    if (left.length === 0) return;
    if (performance.now() > deadline) throw new Error(`The control group ${left[0]} could not be removed: it still has processes.`);
    await sleep(10);
  }
}

function field(text: string, name: string): number {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1) ?? 0);
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // the process has ended by itself
  }
}
