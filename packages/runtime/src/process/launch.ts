import { spawn } from 'node:child_process';
import { chownSync, closeSync, mkdirSync, openSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Limits, Mount } from '../driver.ts';
import { cgroupEntries } from './cgroup.ts';
import type { Folder, SandboxRecord } from './records.ts';
import { toolEnvironment } from './run.ts';
import { etcFiles, sandboxArguments } from './sandbox.ts';
import { seccompFilter } from './seccomp.ts';

export interface LaunchSpec {
  hostname: string;
  /** False for steps, which get only their mounts. */
  hasApp: boolean;
  mounts: Mount[];
  cwd: string;
  command: string[];
  env: Record<string, string>;
  limits: Limits;
  hosts: { name: string; address: string }[];
  resolvers: string[];
  dieWithParent: boolean;
}

export interface HostAbilities {
  disableUserNamespaces: boolean;
}

const script = (name: string) => fileURLToPath(new URL(`./${name}`, import.meta.url));
/** Folders that exist on every system, one of which the sandbox's preparation covers with its tree, seen by nobody else. */
const TREE_PLACE = '/mnt';

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

/**
 * Starts the supervisor of a sandbox and lets go of it. Root's way in: the control group, the network namespace, a private
 * tree that the agent's user id can read whatever the modes of the platform's folders are, that user id, bwrap.
 * bwrap itself never runs as root: with a user namespace made by root, uid 0 would stay uid 0 towards the kernel.
 */
export function launchAsRoot(folder: Folder, record: SandboxRecord, launch: LaunchSpec, abilities: HostAbilities): void {
  const { network, uid } = record;
  if (!network || uid === undefined) throw new Error('A sandbox started by root needs a network and a user id.');
  const inTree = (name: string) => join(TREE_PLACE, name);
  const mounts = launch.mounts.map((mount, index) => ({ ...mount, from: inTree(`m${index}`) }));
  const view = sandboxArguments({
    ...{ hostname: launch.hostname, home: inTree('home'), tmp: inTree('tmp'), etc: inTree('etc'), mounts },
    ...(launch.hasApp ? { app: inTree('app') } : {}),
    ...{ cwd: launch.cwd, env: launch.env, dieWithParent: false, disableUserNamespaces: abilities.disableUserNamespaces },
  });
  const directives = [
    ...['tree', folder.tree, 'bind', folder.home, 'home', 'bind', folder.tmp, 'tmp', 'bind', folder.etc, 'etc'],
    ...(launch.hasApp ? ['bind', folder.app, 'app'] : []),
    ...launch.mounts.flatMap((mount, index) => ['bind', mount.from, `m${index}`]),
    ...['move', TREE_PLACE, 'output', `${uid}`, ...limitDirectives(launch.limits)],
    ...(record.cgroup ? cgroupEntries(record.cgroup).flatMap((file) => ['join', file]) : []),
  ];
  startSupervisor(folder, view, [
    ...['nsenter', `--net=/run/netns/${network.namespace}`, 'unshare', '--mount', '--propagation', 'private'],
    ...['sh', script('enter.sh'), ...directives, '--'],
    ...['setpriv', '--reuid', `${uid}`, '--regid', `${uid}`, '--clear-groups', '--inh-caps=-all', '--no-new-privs'],
    ...['bwrap', '--args', '5', '--', ...launch.command],
  ]);
}

function limitDirectives(limits: Limits): string[] {
  return ['files', `${limits.open_files}`, 'filesize', `${limits.disk_mb * 2048}`];
}

function startSupervisor(folder: Folder, bwrapArguments: string[], chain: string[]): void {
  const files: number[] = [];
  const open = (path: string, flags: string) => {
    const file = openSync(path, flags, 0o600);
    files.push(file);
    return file;
  };
  const filter = join(folder.path, 'seccomp');
  writeFileSync(filter, seccompFilter(), { mode: 0o600 });
  writeFileSync(folder.arguments, [...bwrapArguments, '--seccomp', '3', '--info-fd', '4'].map((word) => `${word}\0`).join(''), {
    mode: 0o600,
  });
  try {
    for (const output of [folder.stdout, folder.stderr]) closeSync(openSync(output, 'a', 0o600));
    const child = spawn('sh', [script('supervise.sh'), folder.path, ...chain], {
      env: toolEnvironment,
      cwd: '/',
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', open(filter, 'r'), open(folder.info, 'w'), open(folder.arguments, 'r')],
    });
    child.on('error', () => undefined); // no supervisor file appears, and that is what the caller looks at
    child.unref();
  } finally {
    for (const file of files) closeSync(file);
    // Open descriptors keep the content; the environment's secrets do not stay on the disk.
    unlinkSync(folder.arguments);
  }
}
