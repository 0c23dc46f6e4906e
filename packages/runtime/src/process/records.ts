import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Instance, InstanceSpec, Limits } from '../driver.ts';
import type { Cgroup } from './cgroup.ts';
import type { NetworkSlot } from './host-network.ts';
import { bootId, isAlive, ownIdentity, type ProcessIdentity, parseStat } from './processes.ts';

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
}

export type Exit = NonNullable<Instance['exit']>;

export interface Folder {
  path: string;
  app: string;
  home: string;
  tmp: string;
  etc: string;
  tree: string;
  record: string;
  exit: string;
  status: string;
  supervisor: string;
  info: string;
  arguments: string;
  rules: string;
  stdout: string;
  stderr: string;
  killed: string;
}

const ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,79}$/;

/** Where everything of one sandbox lies. Throws on ids that could leave `parent`. */
export function sandboxFolder(parent: string, id: string): Folder {
  if (!ID.test(id)) throw new Error(`"${id}" cannot be the id of an instance.`);
  const path = join(parent, id);
  const at = (name: string) => join(path, name);
  return {
    ...{ path, app: at('app'), home: at('home'), tmp: at('tmp'), etc: at('etc'), tree: at('tree'), record: at('instance.json') },
    ...{ exit: at('exit.json'), status: at('status'), supervisor: at('supervisor'), info: at('info.json'), arguments: at('arguments') },
    ...{ rules: at('rules.nft'), stdout: at('stdout.log'), stderr: at('stderr.log'), killed: at('killed') },
  };
}

export function newRecord(spec: Pick<InstanceSpec, 'id' | 'deployment_id' | 'generation' | 'limits'>, mode: Mode): SandboxRecord {
  const { id, deployment_id, generation, limits } = spec;
  const started_at = new Date().toISOString();
  return { id, deployment_id, generation, mode, started_at, boot: bootId(), starter: ownIdentity(), limits };
}

/** Writes so that a reader sees the old or the new content, never a part. */
export function writeJson(file: string, value: unknown): void {
  const temporary = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  writeFileSync(temporary, JSON.stringify(value), { mode: 0o600 });
  renameSync(temporary, file);
}

export function readJson<T>(file: string): T | undefined {
  const text = readText(file);
  return text === undefined ? undefined : (JSON.parse(text) as T);
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
  if (record.boot !== bootId()) return 'ended';
  const supervisor = supervisorOf(folder);
  if (supervisor) return isAlive(supervisor) ? 'running' : 'ended';
  return isAlive(record.starter) && statSync(folder.path, { throwIfNoEntry: false }) ? 'starting' : 'ended';
}

export function supervisorOf(folder: Folder): ProcessIdentity | undefined {
  const text = readText(folder.supervisor);
  if (!text?.endsWith('\n')) return undefined;
  const stat = parseStat(text);
  return stat && { pid: stat.pid, start: stat.start };
}

/** The first process inside the sandbox, as numbered on the host; undefined before it exists. */
export function firstProcess(folder: Folder): number | undefined {
  return /"child-pid": (\d+)/
    .exec(readText(folder.info) ?? '')
    ?.slice(1)
    .map(Number)[0];
}

const SIGNALS: Record<number, NodeJS.Signals> = {
  ...{ 1: 'SIGHUP', 2: 'SIGINT', 3: 'SIGQUIT', 4: 'SIGILL', 5: 'SIGTRAP', 6: 'SIGABRT', 7: 'SIGBUS', 8: 'SIGFPE', 9: 'SIGKILL' },
  ...{
    10: 'SIGUSR1',
    11: 'SIGSEGV',
    12: 'SIGUSR2',
    13: 'SIGPIPE',
    14: 'SIGALRM',
    15: 'SIGTERM',
    24: 'SIGXCPU',
    25: 'SIGXFSZ',
    31: 'SIGSYS',
  },
};

/** The shell and bwrap report a death by signal as 128 + its number. */
export function decodeStatus(status: number): { code: number | null; signal: string | null } {
  const signal = SIGNALS[status - 128];
  return signal ? { code: null, signal } : { code: status, signal: null };
}
