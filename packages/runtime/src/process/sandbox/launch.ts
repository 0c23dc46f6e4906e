import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, closeSync, existsSync, mkdirSync, openSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Limits, Mount } from '../../driver.ts';
import { toolEnvironment } from '../host/run.ts';
import { cgroupEntries } from '../limits/cgroup.ts';
import type { Folder, SandboxRecord } from '../records/records.ts';
import { etcFiles, SANDBOX_PORT, sandboxArguments, words } from './bwrap.ts';
import { withoutStrays } from './descriptors.ts';
import { seccompFilter } from './seccomp.ts';
import { hostProcess } from './unsandboxed.ts';

export interface LaunchSpec {
  hostname: string;
  /** False for steps, which get only their mounts. */
  hasApp: boolean;
  mounts: Mount[];
  /** As the sandbox sees it. */
  cwd: string;
  command: string[];
  env: Record<string, string>;
  limits: Limits;
  hosts: { name: string; address: string }[];
  resolvers: string[];
  /** Ports of the host's own services that the sandbox may reach. */
  hostPorts: number[];
  /** TCP ports of the host's loopback that it finds on its own. */
  loopbackPorts: number[];
  dieWithParent: boolean;
  disableUserNamespaces: boolean;
  /** How soon the kernel ends it when the whole machine runs out of memory, 0 to 1000. */
  oomScore?: number;
}

/** A command line with its environment, which becomes the sandbox. */
export interface Chain {
  command: string[];
  env: Record<string, string>;
}

/** Exists on every system; the sandbox's preparation covers it, in its own mount namespace, with a tree that the agent's user can read. */
const TREE_PLACE = '/mnt';

export const script = (name: string) => fileURLToPath(new URL(`./${name}`, import.meta.url));

/** Lays out the small files and folders that the sandbox mounts. `owner` is the user id that the agent will have. */
export function prepareFolder(folder: Folder, launch: LaunchSpec, owner: number | undefined): void {
  for (const path of [folder.home, folder.tmp]) {
    mkdirSync(path, { mode: 0o700 });
    if (owner !== undefined) chownSync(path, owner, owner);
  }
  mkdirSync(folder.etc, { mode: 0o755 });
  mkdirSync(folder.tree, { mode: 0o755 });
  for (const [name, content] of Object.entries(etcFiles(launch.resolvers, launch.hosts))) {
    writeFileSync(join(folder.etc, name), content, { mode: 0o644 });
  }
}

export function sandboxChain(folder: Folder, record: SandboxRecord, launch: LaunchSpec): Chain {
  if (record.mode === 'root') return rootChain(folder, record, launch);
  if (record.mode === 'user') return userChain(folder, record, launch);
  const { command, env, directory } = hostProcess(folder, record, launch);
  return { command: enter(folder, [...limits(record, launch), 'directory', directory], command), env };
}

/**
 * Root's way in: the network namespace (a service stays in the host's), a private tree that the agent's user id can read whatever the modes of the
 * platform's folders are, the control groups, that user id, bwrap. bwrap itself never runs as root: in a user namespace
 * made by root the agent would stay user 0 towards the kernel.
 */
function rootChain(folder: Folder, record: SandboxRecord, launch: LaunchSpec): Chain {
  const { network, uid } = record;
  if (uid === undefined) throw new Error('A sandbox started by root needs a user id.');
  if (!network && !record.shares_network) throw new Error('A sandbox started by root needs a network.');
  const inTree = (name: string) => join(TREE_PLACE, name);
  writeSandboxFiles(folder, record, launch, inTree, (_, index) => inTree(`m${index}`));
  const binds = [
    ...['home', 'tmp', 'etc', ...(launch.hasApp ? ['app'] : [])].map((name) => ({ from: join(folder.path, name), name, isFolder: true })),
    ...launch.mounts.map(({ from }, index) => ({ from, name: `m${index}`, isFolder: statSync(from).isDirectory() })),
  ];
  const folders = binds.filter(({ isFolder }) => isFolder);
  writeFileSync(folder.fstab, treeTable(folder, folders), { mode: 0o600 });
  const directives = [
    'tree',
    ...binds.filter(({ isFolder }) => !isFolder).flatMap(({ from, name }) => ['bind', from, name]),
    ...['arguments', 'move', TREE_PLACE, ...limits(record, launch)],
  ];
  const asUser = words(`setpriv --reuid ${uid} --regid ${uid} --clear-groups --inh-caps=-all --no-new-privs bwrap --args 5 --`);
  return {
    command: [
      ...(network ? ['nsenter', `--net=/run/netns/${network.namespace}`] : []),
      ...words('unshare --mount --propagation private'),
      ...enter(folder, directives, [...asUser, ...bounded(record, launch)]),
    ],
    env: toolEnvironment,
  };
}

/** The tree and the folders bound into it as a table of mounts: one call of `mount` makes them all. */
function treeTable(folder: Folder, binds: { from: string; name: string }[]): string {
  // Blanks separate the fields; so that no path is taken for two, all but the plain characters are written by their numbers.
  const plain = (path: string) =>
    Buffer.from(path)
      .toString('latin1')
      .replaceAll(/[^A-Za-z0-9/._-]/g, (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`);
  return [
    `tree ${plain(folder.tree)} tmpfs mode=0755,size=1m 0 0\n`,
    ...binds.map(({ from, name }) => `${plain(from)} ${plain(join(folder.tree, name))} none rbind,X-mount.mkdir 0 0\n`),
  ].join('');
}

/**
 * An ordinary user's way in: pasta makes user and network namespaces and carries the traffic; inside we may filter. A service stays in
 * the host's network, where an ordinary user may filter nothing.
 */
function userChain(folder: Folder, record: SandboxRecord, launch: LaunchSpec): Chain {
  writeSandboxFiles(
    folder,
    record,
    launch,
    (name) => join(folder.path, name),
    (mount) => mount.from,
  );
  const sandbox = ['bwrap', '--args', '5', '--', ...bounded(record, launch)];
  const bounds = ['arguments', ...limits(record, launch)];
  if (record.shares_network) return { command: enter(folder, bounds, sandbox), env: toolEnvironment };
  // pasta's defaults would let the agent in on services of the host's loopback: every one of these is needed.
  const forwarding = record.host_port === undefined ? 'none' : `127.0.0.1/${record.host_port}:${SANDBOX_PORT}`;
  const list = (ports: number[]) => [...new Set(ports)].join(',') || 'none';
  const [tcp, udp] = [list([...launch.hostPorts, ...launch.loopbackPorts]), list(launch.hostPorts)];
  const pasta = words(`pasta -q -f -4 --config-net -t ${forwarding} -u none -T ${tcp} -U ${udp} --no-map-gw --`);
  return { command: [...pasta, ...enter(folder, ['filter', ...bounds], sandbox)], env: toolEnvironment };
}

/**
 * Without control groups the number of processes is limited from inside, where only the sandbox's own ones count, and the
 * memory limit is watched from outside. The limit per process bounds what can be taken between two looks; it is generous
 * because runtimes reserve more than they use.
 */
function bounded(record: SandboxRecord, { command, limits: { processes, memory_mb } }: LaunchSpec): string[] {
  if (record.cgroup || !existsSync('/usr/bin/prlimit')) return command;
  return ['/usr/bin/prlimit', `--nproc=${processes}`, `--data=${(memory_mb + 1024) * 1024 * 1024}`, '--', ...command];
}

function enter(folder: Folder, directives: string[], command: string[]): string[] {
  return ['sh', script('enter.sh'), folder.path, ...directives, '--', ...command];
}

function limits(record: SandboxRecord, { limits: { open_files, disk_mb }, oomScore }: LaunchSpec): string[] {
  const score = oomScore === undefined ? [] : ['score', `${oomScore}`];
  const groups = record.cgroup ? cgroupEntries(record.cgroup).flatMap((file) => ['join', file]) : [];
  return ['files', `${open_files}`, 'filesize', `${disk_mb * 2048}`, ...groups, ...score];
}

function writeSandboxFiles(
  folder: Folder,
  record: SandboxRecord,
  launch: LaunchSpec,
  place: (name: string) => string,
  from: (mount: Mount, index: number) => string,
): void {
  const { hostname, cwd, env, dieWithParent, disableUserNamespaces } = launch;
  const mounts = launch.mounts.map((mount, index) => ({ ...mount, from: from(mount, index) }));
  const folders = { home: place('home'), tmp: place('tmp'), etc: place('etc'), ...(launch.hasApp ? { app: place('app') } : {}) };
  const view = sandboxArguments({ ...folders, hostname, cwd, env, dieWithParent, disableUserNamespaces, mounts });
  // Words end with NUL there: a value that held one would go on as further arguments, such as a mount of the host's files.
  if (view.some((word) => word.includes('\0'))) throw new Error('The environment of a sandbox contains a NUL character.');
  const content = [...view, '--seccomp', '3'].map((word) => `${word}\0`).join('');
  writeFileSync(folder.arguments, content, { mode: 0o600 });
  writeFileSync(folder.seccomp, seccompFilter(process.arch, record.shares_network ? 'refused' : 'allowed'), { mode: 0o600 });
}

/** Starts the supervisor of an instance and lets go of it. */
export function startSupervisor(folder: Folder, chain: Chain): void {
  for (const output of [folder.stdout, folder.stderr]) closeSync(openSync(output, 'a', 0o600));
  const child = startDetached('sh', [script('supervise.sh'), folder.path, ...chain.command], chain.env, 'ignore');
  child.unref();
}

/** A child in a session of its own that inherits nothing but what is given here. */
export function startDetached(command: string, args: string[], env: Record<string, string>, output: 'ignore' | 'pipe'): ChildProcess {
  const nothing = openSync('/dev/null', 'r+');
  try {
    const child = spawn(command, args, { env, cwd: '/', detached: true, stdio: ['ignore', output, output, ...withoutStrays(nothing)] });
    // When it cannot be started nothing of what it should do happens, and that is what callers wait for.
    child.on('error', () => undefined);
    return child;
  } finally {
    closeSync(nothing);
  }
}
