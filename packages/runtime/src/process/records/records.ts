import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import type { Instance, InstanceSpec, Limits } from '../../driver.ts';
import type { OnceLogger } from '../host/log-once.ts';
import type { Cgroup } from '../limits/cgroup-files.ts';
import type { NetworkSlot } from '../network/slots.ts';
import { bootId, isAlive, ownIdentity, type ProcessIdentity, parseStat } from '../proc/processes.ts';

export type Mode = 'root' | 'user' | 'unsandboxed';

/** The record of a sandbox on disk. It never contains the environment, which contains secrets. */
export interface SandboxRecord {
  id: string;
  deployment_id: string;
  /** Missing in records of an earlier version. */
  owner?: string;
  generation: number;
  mode: Mode;
  started_at: string;
  boot: string;
  /** The process that starts the sandbox. If it dies while there is no supervisor, the start has failed. */
  starter: ProcessIdentity;
  limits: Limits;
  network?: NetworkSlot;
  cgroup?: Cgroup;
  /** Loopback port of the host on which the instance responds, if it has no address of its own. */
  host_port?: number;
  uid?: number;
  /** Ports of the sandbox's network on which pasta listens: those of the machine's services. */
  held_ports?: number[];
  /** Port of the host's loopback on which an instance without its own address sends DNS questions. */
  names_port?: number;
  /** True for a service, which uses the host's network. */
  shares_network?: boolean;
  /** The signal that asks a service to shut down. */
  stop_signal?: NodeJS.Signals;
  /** Folders of the platform that a step may change. Their content before the step does not count against its limit. */
  writable?: string[];
  /** The folder that was copied for an instance. Its size does not count against the instance's disk limit. */
  copied_from?: string;
}

export type Exit = NonNullable<Instance['exit']>;

export type Folder = ReturnType<typeof sandboxFolder>;

const ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,79}$/;

/** The paths of one sandbox. Throws on ids that could lead out of `parent`. */
export function sandboxFolder(parent: string, id: string) {
  if (!ID.test(id)) throw new Error(`"${id}" cannot be the id of an instance.`);
  const path = join(parent, id);
  return {
    path,
    app: join(path, 'app'),
    home: join(path, 'home'),
    tmp: join(path, 'tmp'),
    etc: join(path, 'etc'),
    /** Mount point of the private tree from which bwrap mounts. */
    tree: join(path, 'tree'),
    /** The table of mounts for the tree. */
    fstab: join(path, 'fstab'),
    record: join(path, 'instance.json'),
    arguments: join(path, 'arguments'),
    seccomp: join(path, 'seccomp'),
    rules: join(path, 'rules.nft'),
    /** Host rules, if there are any. */
    hosts: join(path, 'hosts.json'),
    // Written by the scripts.
    /** The line of /proc/PID/stat of the supervisor. */
    supervisor: join(path, 'supervisor'),
    /** Error output of the preparation. */
    setup: join(path, 'setup'),
    /** Exists once the agent has started. */
    entered: join(path, 'entered'),
    /** Exit code of the first process. */
    code: join(path, 'code'),
    /** The same, written once all output is in the files. */
    status: join(path, 'status'),
    // Written by drivers; `status` also on a full disk (`keepRoom`).
    /** The init of the sandbox's process namespace. */
    init: join(path, 'init.json'),
    /** The reason why the platform killed the sandbox. */
    killed: join(path, 'killed'),
    /** The result of the sandbox. */
    exit: join(path, 'exit.json'),
    stdout: join(path, 'stdout.log'),
    stderr: join(path, 'stderr.log'),
  };
}

export function newRecord(
  spec: Pick<InstanceSpec, 'id' | 'deployment_id' | 'generation' | 'limits'> & { owner?: string },
  mode: Mode,
): SandboxRecord {
  const { id, deployment_id, owner, generation, limits } = spec;
  const started_at = new Date().toISOString();
  const record = { id, deployment_id, generation, mode, started_at, boot: bootId(), starter: ownIdentity(), limits };
  return owner === undefined ? record : { ...record, owner };
}

/** Undefined if the note is missing, blank or broken: after a power cut its name may be on disk without its content. */
// oxlint-disable-next-line no-unnecessary-type-parameters -- the files are our own, written by writeJson of notes.ts
export function readJson<T>(file: string, troubles?: OnceLogger): T | undefined {
  const text = readText(file);
  if (text === undefined) return undefined;
  try {
    const value = JSON.parse(text) as T;
    troubles?.over(file);
    return value;
  } catch (error) {
    troubles?.tell(file, { err: error, file }, 'A note of a sandbox is blank or broken; it counts as missing.');
    return undefined;
  }
}

export function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export function listIds(parent: string): string[] {
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  return readdirSync(parent, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && ID.test(entry.name))
    .map((entry) => entry.name);
}

export type Phase = 'starting' | 'running' | 'ended';

/** Reads from the host whether the sandbox is starting, running, or has ended (whether or not its end has been recorded). */
export function detectPhase(folder: Folder, record: SandboxRecord): Phase {
  if (record.boot !== bootId() || readStatus(folder) !== undefined) return 'ended';
  const supervisor = readSupervisor(folder);
  if (supervisor) return isAlive(supervisor) ? 'running' : 'ended';
  return isAlive(record.starter) && existsSync(folder.path) ? 'starting' : 'ended';
}

/**
 * The exit status, once it is written completely. The file exists a moment before its content, and stays blank if the power fails in
 * between.
 */
export function readStatus(folder: Folder): number | undefined {
  const status = /^(\d+)\s*\n$/.exec(readText(folder.status) ?? '')?.[1];
  return status === undefined ? undefined : Number(status);
}

export function readSupervisor(folder: Folder): ProcessIdentity | undefined {
  const text = readText(folder.supervisor);
  if (!text?.endsWith('\n')) return undefined;
  const stat = parseStat(text);
  return stat && { pid: stat.pid, start: stat.start };
}

// If two names have the same number, the first is the usual one: SIGABRT, not SIGIOT.
const NAMES = Object.fromEntries(
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [number, name]),
);

/** The shell and bwrap report a death by signal as 128 + its number. */
export function decodeStatus(status: number): { code: number | null; signal: string | null } {
  const signal = NAMES[status - 128];
  return signal ? { code: null, signal } : { code: status, signal: null };
}
