import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Limits } from '../../driver.ts';

type Controller = 'memory' | 'cpu' | 'cpuacct' | 'pids';

/**
 * Where the control groups of an installation go, by controller, and what their names begin with. In version 2 all controllers share one folder.
 * They stand side by side, not in a group of their own: the kernel would give that one share, which an agent that burns uses up for all.
 */
export interface CgroupRoot {
  version: 1 | 2;
  folders: Record<Controller, string>;
  prefix: string;
}

/** The control group of one sandbox, as recorded with it: later drivers use these paths, not their own place in the tree. */
export interface Cgroup {
  version: 1 | 2;
  folders: Record<Controller, string>;
}

const CONTROLLERS: Controller[] = ['memory', 'cpu', 'cpuacct', 'pids'];
const MIB = 1024 * 1024;
const PERIOD_US = 100_000;
/**
 * Of a core that several want: what serves everybody (the platform, with the kernel's own 100 for a process or a group) comes before an agent, and an
 * agent, which somebody may be waiting for, before a build. What nobody else wants goes to whoever can use it.
 */
const WEIGHTS = { instance: 25, build: 6 };
/** Processes of the sandbox itself: two of bwrap, and the shell that becomes one of them. */
const SANDBOX_PROCESSES = 3;

/**
 * Finds the control group of this process, so that instances stay within the limits that the operator set on the platform; theirs are made in it,
 * as `name` with a dot and their own. Undefined where control groups cannot be used; limits then come from a poller.
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

export function createCgroup(root: CgroupRoot, name: string, limits: Limits, what: 'instance' | 'build' = 'instance'): Cgroup {
  const cgroup = cgroupOf(root, name);
  const { folders } = cgroup;
  for (const folder of new Set(Object.values(folders))) mkdirSync(folder, { recursive: true });
  const memory = String(limits.memory_mb * MIB);
  const quota = Math.max(1000, Math.round(limits.cpus * PERIOD_US));
  const processes = String(limits.processes + SANDBOX_PROCESSES);
  if (root.version === 1) {
    put(folders.memory, 'memory.limit_in_bytes', memory);
    put(folders.memory, 'memory.memsw.limit_in_bytes', memory, 'optional');
    put(folders.cpu, 'cpu.cfs_period_us', String(PERIOD_US));
    put(folders.cpu, 'cpu.cfs_quota_us', String(quota));
  } else {
    put(folders.memory, 'memory.max', memory);
    put(folders.memory, 'memory.swap.max', '0', 'optional');
    put(folders.cpu, 'cpu.max', `${quota} ${PERIOD_US}`);
  }
  weigh(root.version, folders.cpu, WEIGHTS[what]);
  put(folders.pids, 'pids.max', processes);
  return cgroup;
}

/** Not of consequence enough to fail for: a container may offer the limit and not the weight. */
function weigh(version: 1 | 2, folder: string, weight: number): void {
  if (version === 1) put(folder, 'cpu.shares', String(Math.round((weight * 1024) / 100)), 'optional');
  else put(folder, 'cpu.weight', String(weight), 'optional');
}

/**
 * Lets everybody else go first, at once and whenever they want (`cpu.idle`, Linux 5.15), or ends that. Before that kernel it only gets a small share.
 */
export function setYielding({ version, folders }: Cgroup, what: 'instance' | 'build', yields: boolean): void {
  const { cpu } = folders;
  if (existsSync(join(cpu, 'cpu.idle'))) {
    put(cpu, 'cpu.idle', yields ? '1' : '0', 'optional');
    if (!yields) weigh(version, cpu, WEIGHTS[what]); // the kernel has put its own figure there
  } else weigh(version, cpu, yields ? 1 : WEIGHTS[what]);
}

/** Files into which a process writes 0 to enter. */
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

/** Ends everything in the group and removes it. Bounded: gives up (throws) after five seconds. */
export async function removeCgroup(cgroup: Cgroup): Promise<void> {
  const folders = [...new Set(Object.values(cgroup.folders))];
  const deadline = performance.now() + 5000;
  for (;;) {
    for (const pid of cgroupProcesses(cgroup)) killQuietly(pid);
    const left = folders.filter((folder) => !removed(folder));
    if (left.length === 0) return;
    if (performance.now() > deadline) throw new Error(`The control group ${left[0]} could not be removed: it still has processes.`);
    await sleep(10);
  }
}

/** All of the installation, also those that an older release made in a folder of their own. */
export function listCgroups(root: CgroupRoot): { name: string; cgroup: Cgroup }[] {
  const own = foldersIn(root.folders.pids).filter((name) => name.startsWith(`${root.prefix}.`));
  const older = foldersIn(join(root.folders.pids, root.prefix)).map((name) => ({ name, cgroup: groupAt(root, join(root.prefix, name)) }));
  return [...own.map((folder) => ({ name: folder.slice(root.prefix.length + 1), cgroup: groupAt(root, folder) })), ...older];
}

const foldersIn = (folder: string) =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => entry.name)
    : [];

/** Removes the folder in which an older release had all groups, once it is empty. */
export function removeOlderFolder(root: CgroupRoot): void {
  for (const folder of new Set(Object.values(root.folders))) removed(join(folder, root.prefix));
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
    // Inside a container the path may name a group that is not visible from here; the mount point then is our own group.
    const base = existsSync(join(mount[1], path)) ? join(mount[1], path) : mount[1];
    folders[controller] = base;
  }
  const root: CgroupRoot = { version: 1, folders: folders as Record<Controller, string>, prefix: name };
  return canMake(root, []) ? root : undefined;
}

function rootV2(name: string, mounts: string[][], own: string[][]): CgroupRoot | undefined {
  const mount = mounts.find((fields) => fields[2] === 'cgroup2')?.[1];
  const path = own.find((fields) => fields[0] === '0')?.[2];
  if (!mount || path === undefined) return undefined;
  const parents = [join(mount, path), ...(process.getuid?.() === 0 ? [mount] : [])];
  for (const parent of parents) {
    const root: CgroupRoot = { version: 2, folders: { memory: parent, cpu: parent, cpuacct: parent, pids: parent }, prefix: name };
    try {
      delegate(parent);
      if (canMake(root, ['cpu.max', 'memory.max', 'pids.max'])) return root;
    } catch {
      // This place does not delegate; the next one may.
    }
  }
  return undefined;
}

/** Tries it with a group that is gone at once. False where the folder is not ours to change, which is the rule for ordinary users. */
function canMake(root: CgroupRoot, files: string[]): boolean {
  // By a name that no sweep takes for a group that was left behind.
  const { folders } = groupAt(root, `${root.prefix}-try-${randomUUID()}`);
  try {
    for (const folder of new Set(Object.values(folders))) mkdirSync(folder);
    return files.every((file) => existsSync(join(folders.cpu, file)));
  } catch {
    return false;
  } finally {
    for (const folder of new Set(Object.values(folders))) removed(folder);
  }
}

/** Version 2 lets a group pass controllers on only when it has no processes itself, so ours move one level down. */
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
    for (const pid of (get(parent, 'cgroup.procs') ?? '').split('\n').filter(Boolean)) put(platform, 'cgroup.procs', pid, 'optional');
    put(parent, 'cgroup.subtree_control', '+cpu +memory +pids');
  }
}

function put(folder: string, file: string, value: string, need: 'required' | 'optional' = 'required'): void {
  try {
    writeFileSync(join(folder, file), value);
  } catch (error) {
    if (need === 'required') throw error;
  }
}

function get(folder: string, file: string): string | undefined {
  try {
    return readFileSync(join(folder, file), 'utf8');
  } catch {
    return undefined; // the group is gone; callers say what that means for them
  }
}

function field(text: string, name: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1) ?? 0);
}

function removed(folder: string): boolean {
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
    // It ended by itself between the listing and now.
  }
}

function mapFolders(folders: Record<Controller, string>, change: (folder: string) => string): Record<Controller, string> {
  return { memory: change(folders.memory), cpu: change(folders.cpu), cpuacct: change(folders.cpuacct), pids: change(folders.pids) };
}
