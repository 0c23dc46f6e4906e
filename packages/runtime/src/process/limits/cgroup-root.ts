import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cgroup, type Controller, get, put, putIfPossible, tryRemove } from './cgroup-files.ts';

/**
 * The folders for the control groups of an installation, by controller, and the prefix of their names. In version 2 all controllers share
 * one folder. The groups are siblings without a common parent: the kernel would give a common parent one share, and one busy agent could
 * use up the share of all.
 */
export interface CgroupRoot {
  version: 1 | 2;
  folders: Record<Controller, string>;
  prefix: string;
}

const CONTROLLERS: Controller[] = ['memory', 'cpu', 'cpuacct', 'pids'];

/**
 * Finds the control group of this process. The groups of instances are created in it, named `name.instance`, so that instances stay within
 * the limits that the operator set for the platform. Undefined if control groups cannot be used; a poller then checks the limits.
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

/** The group of a sandbox, whether or not it exists. */
export const cgroupOf = (root: CgroupRoot, name: string): Cgroup => groupAt(root, `${root.prefix}.${name}`);

/** All groups of the installation, also those that an older release created in a common parent. */
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

/** Removes the common parent of an older release, once it is empty. */
export function removeOlderFolder(root: CgroupRoot): void {
  for (const folder of new Set(Object.values(root.folders))) tryRemove(join(folder, root.prefix));
}

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
    // Inside a container the path may name a group that is not visible from here. The mount point is then the group of this process.
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

/** Creates a group and removes it at once. False if this process may not change the folder, like most ordinary users. */
function canMake(root: CgroupRoot, files: string[]): boolean {
  // No sweep mistakes this name for a group that was left behind.
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

/** In version 2 a group can only delegate controllers if it has no processes itself, so the platform's processes move one level down. */
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

function mapFolders(folders: Record<Controller, string>, change: (folder: string) => string): Record<Controller, string> {
  return { memory: change(folders.memory), cpu: change(folders.cpu), cpuacct: change(folders.cpuacct), pids: change(folders.pids) };
}
