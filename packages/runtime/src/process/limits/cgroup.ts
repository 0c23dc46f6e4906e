import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Limits } from '../../driver.ts';

type Controller = 'memory' | 'cpu' | 'cpuacct' | 'pids';

/**
 * The folders for the control groups of an installation, by controller, and the prefix of their names. In version 2 all controllers share
 * one folder. The groups stand side by side, not in a common group: the kernel would give the common group one share, and one busy agent
 * could use up the share of all.
 */
export interface CgroupRoot {
  version: 1 | 2;
  folders: Record<Controller, string>;
  prefix: string;
}

/** The control group of one sandbox. The paths are recorded: a later driver may stand elsewhere in the tree. */
export interface Cgroup {
  version: 1 | 2;
  folders: Record<Controller, string>;
}

const CONTROLLERS: Controller[] = ['memory', 'cpu', 'cpuacct', 'pids'];
const MIB = 1024 * 1024;
const PERIOD_US = 100_000;
/**
 * CPU weights, which count only while a core is contended: the platform (the kernel's default of 100) comes before agents, and agents,
 * for which somebody may be waiting, come before builds.
 */
const WEIGHTS = { instance: 25, build: 6 };
/** Processes of the sandbox itself: two of bwrap, and the shell that becomes bwrap. */
const SANDBOX_PROCESSES = 3;

/**
 * Finds the control group of this process. The groups of instances are made in it, named `name.instance`, so that instances stay within the
 * limits that the operator set on the platform. Undefined where control groups cannot be used; a poller then checks the limits.
 */
export function cgroupRoot(name: string): CgroupRoot | undefined {
  const mounts = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '));
  const own = readFileSync('/proc/self/cgroup', 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(':'));
  return rootV1(name, mounts, own) ?? rootV2(name, mounts, own);
}

export type CgroupKind = 'instance' | 'build';

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

/** A missing weight is no reason to fail: a container may offer the limits without it. */
function weigh(version: 1 | 2, folder: string, weight: number): void {
  if (version === 1) putIfPossible(folder, 'cpu.shares', String(Math.round((weight * 1024) / 100)));
  else putIfPossible(folder, 'cpu.weight', String(weight));
}

/** Makes the group run only while no other group wants the processor (`cpu.idle`, Linux 5.15), or ends that. Older kernels: a small weight. */
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

/** How often the kernel has ended a process of the group because of its memory limit. */
export function oomKills(cgroup: Cgroup): number {
  const text = get(cgroup.folders.memory, cgroup.version === 1 ? 'memory.oom_control' : 'memory.events') ?? '';
  return field(text, 'oom_kill');
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

/** All groups of the installation, also those that an older release made in a common group. */
export function listCgroups(root: CgroupRoot): { name: string; cgroup: Cgroup }[] {
  const own = foldersIn(root.folders.pids)
    .filter((folder) => folder.startsWith(`${root.prefix}.`))
    .map((folder) => ({ name: folder.slice(root.prefix.length + 1), cgroup: groupAt(root, folder) }));
  const older = foldersIn(join(root.folders.pids, root.prefix)).map((name) => ({ name, cgroup: groupAt(root, join(root.prefix, name)) }));
  return [...own, ...older];
}

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
}

/** Removes the common group of an older release, once it is empty. */
export function removeOlderFolder(root: CgroupRoot): void {
  for (const folder of new Set(Object.values(root.folders))) tryRemove(join(folder, root.prefix));
}

const cgroupOf = (root: CgroupRoot, name: string) => groupAt(root, `${root.prefix}.${name}`);

const groupAt = (root: CgroupRoot, path: string): Cgroup => ({
  version: root.version,
  folders: mapFolders(root.folders, (folder) => join(folder, path)),
});

function rootV1(name: string, mounts: string[][], own: string[][]): CgroupRoot | undefined {
  const folders: Partial<Record<Controller, string>> = {};
  for (const controller of CONTROLLERS) {
    const mount = mounts.find((fields) => fields[2] === 'cgroup' && fields[3]?.split(',').includes(controller));
    const path = own.find((fields) => fields[1]?.split(',').includes(controller))?.[2];
    if (!mount?.[1] || path === undefined) return undefined;
    // Inside a container the path may name a group that is not visible from here: then the mount point is the group of this process.
    folders[controller] = existsSync(join(mount[1], path)) ? join(mount[1], path) : mount[1];
  }
  const root: CgroupRoot = { version: 1, folders: folders as Record<Controller, string>, prefix: name };
  return canMake(root, []) ? root : undefined;
}

function rootV2(name: string, mounts: string[][], own: string[][]): CgroupRoot | undefined {
  const mount = mounts.find((fields) => fields[2] === 'cgroup2')?.[1];
  const path = own.find((fields) => fields[0] === '0')?.[2];
  if (!mount || path === undefined) return undefined;
  const parents = [join(mount, path)];
  if (process.getuid?.() === 0) parents.push(mount);
  for (const parent of parents) {
    const root: CgroupRoot = { version: 2, folders: { memory: parent, cpu: parent, cpuacct: parent, pids: parent }, prefix: name };
    try {
      delegate(parent);
      if (canMake(root, ['cpu.max', 'memory.max', 'pids.max'])) return root;
    } catch {
      // This group does not delegate; the next parent may.
    }
  }
  return undefined;
}

/** Makes a group and removes it at once. False where this process may not change the folder, as most ordinary users. */
function canMake(root: CgroupRoot, files: string[]): boolean {
  // No sweep takes this name for a group that was left behind.
  const { folders } = groupAt(root, `${root.prefix}-try-${randomUUID()}`);
  try {
    for (const folder of new Set(Object.values(folders))) mkdirSync(folder);
    return files.every((file) => existsSync(join(folders.cpu, file)));
  } catch {
    return false;
  } finally {
    for (const folder of new Set(Object.values(folders))) tryRemove(folder);
  }
}

/** In version 2 a group passes controllers on only when it has no processes itself: the platform's processes move one level down. */
function delegate(parent: string): void {
  const wanted = ['cpu', 'memory', 'pids'];
  const enabled = (get(parent, 'cgroup.subtree_control') ?? '').trim().split(' ');
  if (wanted.every((controller) => enabled.includes(controller))) return;
  try {
    put(parent, 'cgroup.subtree_control', '+cpu +memory +pids');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EBUSY') throw error;
    const platform = join(parent, 'paddock-platform');
    mkdirSync(platform, { recursive: true });
    for (const pid of (get(parent, 'cgroup.procs') ?? '').split('\n').filter(Boolean)) putIfPossible(platform, 'cgroup.procs', pid);
    put(parent, 'cgroup.subtree_control', '+cpu +memory +pids');
  }
}

function put(folder: string, file: string, value: string): void {
  writeFileSync(join(folder, file), value);
}

function putIfPossible(folder: string, file: string, value: string): void {
  try {
    put(folder, file, value);
  } catch {
    // this kernel or container does not offer the file
  }
}

function get(folder: string, file: string): string | undefined {
  try {
    return readFileSync(join(folder, file), 'utf8');
  } catch {
    return undefined; // the group is gone, or has no such file
  }
}

function field(text: string, name: string): number {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1) ?? 0);
}

/** True once the group is gone. A group that still has processes stays. */
function tryRemove(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // the process has ended by itself
  }
}

function mapFolders(folders: Record<Controller, string>, change: (folder: string) => string): Record<Controller, string> {
  return { memory: change(folders.memory), cpu: change(folders.cpu), cpuacct: change(folders.cpuacct), pids: change(folders.pids) };
}
