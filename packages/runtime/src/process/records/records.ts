import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import type { Instance, InstanceSpec, Limits } from '../../driver.ts';
import type { Troubles } from '../host/troubles.ts';
import type { Cgroup } from '../limits/cgroup.ts';
import type { NetworkSlot } from '../network/host-network.ts';
import { bootId, isAlive, ownIdentity, type ProcessIdentity, parseStat } from '../proc/processes.ts';

export type Mode = 'root' | 'user' | 'unsandboxed';

/** What is remembered of an instance or step on disk. Never its environment: that holds secrets. */
export interface SandboxRecord {
  id: string;
  deployment_id: string;
  generation: number;
  mode: Mode;
  started_at: string;
  boot: string;
  /** The process that starts it; until `supervisor` exists, its death means that the start failed. */
  starter: ProcessIdentity;
  limits: Limits;
  network?: NetworkSlot;
  cgroup?: Cgroup;
  /** Loopback port of the host at which the instance answers, where it has no address of its own. */
  host_port?: number;
  uid?: number;
  /** Ports of its own network that belong to what carries its traffic: the machine's services, which it reaches there. */
  held_ports?: number[];
  /** A service: it has no network of its own, but the host's. */
  shares_network?: boolean;
  /** What asks a service to end. */
  stop_signal?: NodeJS.Signals;
  /** Folders of the platform that a step may change; what they hold when it starts is not counted as its own. */
  writable?: string[];
}

export type Exit = NonNullable<Instance['exit']>;

export type Folder = ReturnType<typeof sandboxFolder>;

const ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,79}$/;

/** Where everything of one sandbox lies. Throws on ids that could leave `parent`. */
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
    /** What is mounted there. */
    fstab: join(path, 'fstab'),
    record: join(path, 'instance.json'),
    arguments: join(path, 'arguments'),
    seccomp: join(path, 'seccomp'),
    rules: join(path, 'rules.nft'),
    /**
     * Written by the scripts: who supervises, what went wrong before the agent began, that it began, how its
     * first process ended, and the same again once all of its output is in the files. */
    supervisor: join(path, 'supervisor'),
    setup: join(path, 'setup'),
    entered: join(path, 'entered'),
    code: join(path, 'code'),
    status: join(path, 'status'),
    /** Written by drivers: the sandbox's init, why we ended it, what was made of its end. A full disk takes none of them away (`keepRoom`). */
    init: join(path, 'init.json'),
    killed: join(path, 'killed'),
    exit: join(path, 'exit.json'),
    stdout: join(path, 'stdout.log'),
    stderr: join(path, 'stderr.log'),
  };
}

export function newRecord(spec: Pick<InstanceSpec, 'id' | 'deployment_id' | 'generation' | 'limits'>, mode: Mode): SandboxRecord {
  const { id, deployment_id, generation, limits } = spec;
  const started_at = new Date().toISOString();
  return { id, deployment_id, generation, mode, started_at, boot: bootId(), starter: ownIdentity(), limits };
}

/** Undefined where there is no such note, and where it is blank or broken, as a disk that lost its power may leave it. */
// oxlint-disable-next-line no-unnecessary-type-parameters -- the files are our own, written by writeJson of notes.ts
export function readJson<T>(file: string, troubles?: Troubles): T | undefined {
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

/** Reads the host: does the sandbox still start, run, or has it ended (whether or not its end has been recorded)? */
export function phaseOf(folder: Folder, record: SandboxRecord): Phase {
  if (record.boot !== bootId() || statusOf(folder) !== undefined) return 'ended';
  const supervisor = supervisorOf(folder);
  if (supervisor) return isAlive(supervisor) ? 'running' : 'ended';
  return isAlive(record.starter) && existsSync(folder.path) ? 'starting' : 'ended';
}

/** The exit status, once it is written whole: the file is there a moment before its content, and blank if power failed in between. */
export function statusOf(folder: Folder): number | undefined {
  const status = /^(\d+)\s*\n$/.exec(readText(folder.status) ?? '')?.[1];
  return status === undefined ? undefined : Number(status);
}

export function supervisorOf(folder: Folder): ProcessIdentity | undefined {
  const text = readText(folder.supervisor);
  if (!text?.endsWith('\n')) return undefined;
  const stat = parseStat(text);
  return stat && { pid: stat.pid, start: stat.start };
}

// Of two names of one number the first is the usual one: SIGABRT, not SIGIOT.
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
