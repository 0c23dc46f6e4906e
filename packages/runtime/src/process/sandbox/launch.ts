import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, closeSync, existsSync, mkdirSync, openSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Mount } from '../../driver.ts';
import { toolEnvironment } from '../host/run.ts';
import { cgroupEntries } from '../limits/cgroup.ts';
import type { Folder, SandboxRecord } from '../records/records.ts';
import { etcFiles, ownPlaces, SANDBOX_PORT, sandboxArguments, words } from './bwrap.ts';
import { maskInheritedFds } from './descriptors.ts';
import type { Chain, LaunchSpec, Sandbox } from './launch-spec.ts';
import { seccompFilter } from './seccomp.ts';
import { hostProcess } from './unsandboxed.ts';

/** Exists on every system. In the sandbox's mount namespace, a tree that the agent's user can read is mounted over it. */
const TREE_PLACE = '/mnt';

export const script = (name: string) => fileURLToPath(new URL(`./${name}`, import.meta.url));

/** Creates the small files and folders that the sandbox mounts. `owner` is the user id that the agent will have. */
export function prepareFolder(folder: Folder, launch: LaunchSpec, owner: number | undefined): void {
  const own = launch.hasApp ? ownPlaces.map(({ name }) => join(folder.home, name)) : [];
  for (const path of [folder.home, folder.tmp, ...own]) {
    mkdirSync(path, { mode: 0o700 });
    if (owner !== undefined) chownSync(path, owner, owner);
  }
  mkdirSync(folder.etc, { mode: 0o755 });
  mkdirSync(folder.tree, { mode: 0o755 });
  for (const [name, content] of Object.entries(etcFiles(launch.resolvers, launch.hosts))) {
    writeFileSync(join(folder.etc, name), content, { mode: 0o644 });
  }
}

export function sandboxChain(sandbox: Sandbox): Chain {
  const { folder, record, launch } = sandbox;
  if (record.mode === 'root') return rootChain(sandbox);
  if (record.mode === 'user') return userChain(sandbox);
  const { command, env, directory } = hostProcess(folder, record, launch);
  return { command: enter(folder, [...limits(record, launch), 'directory', directory], command), env };
}

/**
 * The command line as root enters: the network namespace (a service stays in the host's), a private tree that the agent's user id can read
 * whatever the modes of the platform's folders are, the control groups, that user id, and bwrap. bwrap itself never runs as root: in a user
 * namespace made by root the agent would still be user 0 for the kernel.
 */
function rootChain(sandbox: Sandbox): Chain {
  const { folder, record, launch } = sandbox;
  const { network, uid } = record;
  if (uid === undefined) throw new Error('A sandbox started by root needs a user id.');
  if (!network && !record.shares_network) throw new Error('A sandbox started by root needs a network.');
  const inTree = (name: string) => join(TREE_PLACE, name);
  writeSandboxFiles(sandbox, { place: inTree, sourceOf: (_, index) => inTree(`m${index}`) });
  const ownFolders = ['home', 'tmp', 'etc'];
  if (launch.hasApp) ownFolders.push('app');
  const binds = [
    ...ownFolders.map((name) => ({ from: join(folder.path, name), name, isFolder: true })),
    ...launch.mounts.map(({ from }, index) => ({ from, name: `m${index}`, isFolder: statSync(from).isDirectory() })),
  ];
  const folders = binds.filter(({ isFolder }) => isFolder);
  writeFileSync(folder.fstab, treeTable(folder, folders), { mode: 0o600 });
  const directives = [
    'tree',
    ...binds.filter(({ isFolder }) => !isFolder).flatMap(({ from, name }) => ['bind', from, name]),
    'arguments',
    'move',
    TREE_PLACE,
    ...limits(record, launch),
  ];
  const asUser = words(`setpriv --reuid ${uid} --regid ${uid} --clear-groups --inh-caps=-all --no-new-privs bwrap --args 5 --`);
  const joinNetwork = network ? ['nsenter', `--net=/run/netns/${network.namespace}`] : [];
  return {
    command: [
      ...joinNetwork,
      ...words('unshare --mount --propagation private'),
      ...enter(folder, directives, [...asUser, ...bounded(record, launch)]),
    ],
    env: toolEnvironment,
  };
}

/** The tree and the folders bound into it as a table of mounts, so that one call of `mount` mounts them all. */
function treeTable(folder: Folder, binds: { from: string; name: string }[]): string {
  // Blanks separate the fields. All characters except plain ones are written as octal numbers, so that no path is read as two fields.
  const plain = (path: string) =>
    Buffer.from(path)
      .toString('latin1')
      .replaceAll(/[^A-Za-z0-9/._-]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`);
  return [
    `tree ${plain(folder.tree)} tmpfs mode=0755,size=1m 0 0\n`,
    ...binds.map(({ from, name }) => `${plain(from)} ${plain(join(folder.tree, name))} none rbind,X-mount.mkdir 0 0\n`),
  ].join('');
}

/**
 * The command line as an ordinary user: pasta creates user and network namespaces and forwards the traffic; inside them the platform may
 * filter. A service stays in the host's network, where an ordinary user may filter nothing.
 */
function userChain(sandbox: Sandbox): Chain {
  const { folder, record, launch } = sandbox;
  writeSandboxFiles(sandbox, { place: (name) => join(folder.path, name), sourceOf: (mount) => mount.from });
  const command = ['bwrap', '--args', '5', '--', ...bounded(record, launch)];
  const bounds = ['arguments', ...limits(record, launch)];
  if (record.shares_network) return { command: enter(folder, bounds, command), env: toolEnvironment };
  // pasta's defaults would give the agent access to services of the host's loopback, so every one of these options is needed.
  const forwarding = record.host_port === undefined ? 'none' : `127.0.0.1/${record.host_port}:${SANDBOX_PORT}`;
  const list = (ports: (number | string)[]) => [...new Set(ports)].join(',') || 'none';
  const names = record.names_port === undefined ? [] : [record.names_port];
  const loopback = launch.loopbackPorts.map(({ insidePort, hostPort }) =>
    insidePort === hostPort ? hostPort : `${insidePort}:${hostPort}`,
  );
  const tcp = list([...launch.hostPorts, ...loopback, ...names]);
  const udp = list([...launch.hostPorts, ...names]);
  const pasta = words(`pasta -q -f -4 --config-net -t ${forwarding} -u none -T ${tcp} -U ${udp} --no-map-gw --`);
  return { command: [...pasta, ...enter(folder, ['filter', ...bounds], command)], env: toolEnvironment };
}

/**
 * Without control groups the number of processes is limited from inside, where only the sandbox's own processes count, and memory is
 * watched from outside. The limit per process bounds how much memory can be taken between two checks. It is generous because runtimes
 * reserve more than they use.
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

interface Paths {
  /** The path at which bwrap finds a folder of the sandbox. */
  place(name: string): string;
  /** The path at which bwrap finds the source of a mount. */
  sourceOf(mount: Mount, index: number): string;
}

function writeSandboxFiles({ folder, record, launch }: Sandbox, { place, sourceOf }: Paths): void {
  const { hostname, cwd, env, dieWithParent, disableUserNamespaces } = launch;
  const mounts = launch.mounts.map((mount, index) => ({ ...mount, from: sourceOf(mount, index) }));
  const view = sandboxArguments({
    ...(launch.hasApp ? { app: place('app') } : {}),
    home: place('home'),
    tmp: place('tmp'),
    etc: place('etc'),
    hostname,
    cwd,
    env,
    dieWithParent,
    disableUserNamespaces,
    mounts,
  });
  // NUL separates the arguments in the file: a value with a NUL would continue as further arguments, such as a mount of the host's files.
  if (view.some((word) => word.includes('\0'))) throw new Error('The environment of a sandbox contains a NUL character.');
  const content = [...view, '--seccomp', '3'].map((word) => `${word}\0`).join('');
  writeFileSync(folder.arguments, content, { mode: 0o600 });
  writeFileSync(folder.seccomp, seccompFilter(process.arch, record.shares_network ? 'refused' : 'allowed'), { mode: 0o600 });
}

/** Starts the supervisor of an instance or service, which outlives this process. */
export function startSupervisor(folder: Folder, chain: Chain): void {
  for (const output of [folder.stdout, folder.stderr]) closeSync(openSync(output, 'a', 0o600));
  const child = startDetached('sh', [script('supervise.sh'), folder.path, ...chain.command], { env: chain.env, output: 'ignore' });
  child.unref();
}

/** A child in its own session that inherits only the given environment and output. */
export function startDetached(
  command: string,
  args: string[],
  { env, output }: { env: Record<string, string>; output: 'ignore' | 'pipe' },
): ChildProcess {
  const nothing = openSync('/dev/null', 'r+');
  try {
    const child = spawn(command, args, { env, cwd: '/', detached: true, stdio: ['ignore', output, output, ...maskInheritedFds(nothing)] });
    // Callers wait for files of the child. If it cannot be started, they notice that the files are missing.
    child.on('error', () => undefined);
    return child;
  } finally {
    closeSync(nothing);
  }
}
