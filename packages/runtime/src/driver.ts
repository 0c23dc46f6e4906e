import type { HostRule, RefusedHost } from './hosts.ts';

/** A file-system path of the host that the sandbox sees read-only (or, for `writable`, may change) at `at`. */
export interface Mount {
  from: string;
  at: string;
  writable?: boolean;
}

export interface Limits {
  memory_mb: number;
  /** Cores, also parts: 0.5 is half a core. */
  cpus: number;
  processes: number;
  /** Bytes that the instance may keep on disk (its /app, /home/agent with its other places, and /tmp together). */
  disk_mb: number;
  open_files: number;
}

/** What an instance may reach. Loopback, neighbours, private ranges and the platform itself are always refused. */
export interface Egress {
  /** CIDRs that the operator opened (`PADDOCK_EGRESS_ALLOW`), besides the public internet. */
  allow: string[];
}

/** One running copy of an agent. `id` is unique for ever; `deployment_id` and `generation` tell which deployment it belongs to. */
export interface InstanceSpec {
  id: string;
  deployment_id: string;
  /** Whose instance it is, such as a team. What all instances share is bounded for each owner, too: connections and questions to the resolver. */
  owner: string;
  /** Fencing number: of two instances of one deployment, the one with the higher generation counts. */
  generation: number;
  /** Folder whose content becomes the instance's own writable /app (copied; the artifact never changes). */
  app_dir: string;
  /** Layers and toolchains, read-only, mounted over or beside /app. */
  mounts: Mount[];
  /** Relative to /app, '' for /app itself. */
  cwd: string;
  /** An argument list; '/bin/sh','-c',… where the plan needs a shell. */
  command: string[];
  /**
   * The whole environment; the driver adds only PORT, HOME, TMPDIR, LANG and PATH, if they are missing.
   * Without a sandbox the driver always sets PORT: the host's ports are shared.
   */
  env: Record<string, string>;
  limits: Limits;
  egress: Egress;
  /** Rules about hosts that are in force before the agent begins. Without a sandbox, a start with rules is refused. */
  hosts?: HostRule[];
  /**
   * TCP ports of 127.0.0.1 on this machine that the instance finds at 127.0.0.1 of its own network: its databases. No other port of the
   * machine's loopback is reachable. Not 8080, on which agents listen. Without isolation all ports are reachable. `usual_port`: found there, too,
   * since many agents are told the host of a database alone; not without isolation, where that port is the machine's.
   */
  services?: LoopbackService[];
}

export interface LoopbackService {
  port: number;
  usual_port?: number;
}

export type InstanceState = 'running' | 'exited';

export interface Instance {
  id: string;
  deployment_id: string;
  generation: number;
  state: InstanceState;
  /** ISO 8601. */
  started_at: string;
  /**
   * Set once the instance has exited and all of its output is in the files. Code and signal are both null when they are unknown:
   * the machine was restarted, or the supervisor was killed.
   */
  exit?: { code: number | null; signal: string | null; oom: boolean; disk_full: boolean; at: string };
}

/** Tells an agent that waits from an agent that is still coming up. The figures count since its start, and fall when processes end. */
export interface Activity {
  cpu_ms: number;
  /** Through system calls (files, pipes, sockets that are read like files), and from disks, which counts mapped libraries, too. */
  read_bytes: number;
  /** From other machines; 0 where the network is not the instance's own. */
  received_bytes: number;
  /** When its youngest process began, in clock ticks of the machine: another figure tells that a process was started or has ended. */
  last_start: number;
  /** At this moment a process runs, or waits for a processor or a disk. */
  is_waiting: boolean;
  /** At this moment a connection is being opened, or a name looked up. */
  is_connecting: boolean;
}

/** Paths of an instance's output. The files only grow; bytes before the reader's offset may be freed with `releaseOutput`. */
export interface OutputFiles {
  stdout: string;
  stderr: string;
}

/**
 * Runs agent instances on one kind of host. Drivers keep no memory of their own: `list` reads the host,
 * so a restarted server finds what is still running. Every driver passes `driver.suite.ts`.
 */
export interface RuntimeDriver {
  readonly name: 'process' | 'docker' | 'swarm';
  /** False only under PADDOCK_UNSANDBOXED=1. */
  readonly isolated: boolean;
  /**
   * Starts the process and returns as soon as its sandbox stands, before the agent is ready. Throws, leaving nothing, when the sandbox
   * cannot be set up. Starting an id that runs already, or has run and was not removed, returns that instance.
   */
  start(spec: InstanceSpec, signal: AbortSignal): Promise<Instance>;
  /** Asks the whole process group to exit, then kills it after `graceMs`. Stopping a stopped or unknown instance is not an error. */
  stop(instanceId: string, graceMs: number): Promise<void>;
  /** Removes an exited instance: its writable files, output files and records. Throws while it runs. */
  remove(instanceId: string): Promise<void>;
  /** All instances of this installation, running and exited ones not yet removed. */
  list(): Promise<Instance[]>;
  /** One instance alone: waiting for an instance need not list all. */
  find(id: string): Promise<Instance | undefined>;
  /**
   * The TCP ports that the instance listens on right now, in the order in which they should be tried ($PORT first).
   * `loopback_only` tells ports bound to 127.0.0.1 or [::1] inside the sandbox.
   */
  listening(instanceId: string): Promise<{ port: number; family: 4 | 6; loopback_only: boolean }[]>;
  /** The work of its processes so far; cheap enough to be asked twice a second. All zero once it has ended. */
  activity(instanceId: string): Promise<Activity>;
  /**
   * The address at which the instance answers as soon as it listens on $PORT beyond its own loopback: connecting there costs a fraction of
   * `listening`. Undefined where the address is not known without `expose`.
   */
  direct(instanceId: string): { host: string; port: number } | undefined;
  /** Makes `port` of the instance reachable from this host and returns the address. May be called again after a port change. */
  expose(instanceId: string, port: number): Promise<{ host: string; port: number }>;
  /**
   * Holds a running instance to rules about hosts, instead of those before; none: to none. Resolves once they are in force. They hold while
   * no server runs, too. Throws where that is not possible: without a sandbox, or when the instance has ended.
   */
  holdToHosts(instanceId: string, rules: readonly HostRule[]): Promise<void>;
  /** Tells of hosts that instances asked for and may not call: of each once a minute, of an instance so many. */
  onRefusedHost(listener: (refused: RefusedHost) => void): void;
  output(instanceId: string): OutputFiles;
  /** Frees disk space of output before the offsets, in bytes, up to which a reader has stored it. Offsets stay valid. */
  releaseOutput(instanceId: string, offsets: { stdout: number; stderr: number }): Promise<void>;
  /** The part of `usage` that is cheap enough to be asked every few seconds. All zero but the processor time once it has ended. */
  load(instanceId: string): Promise<{ cpu_ms: number; memory_bytes: number; processes: number }>;
  /** Since the start of the instance. `disk_bytes` counts /app, /home/agent and /tmp, 512 bytes per file, and deleted files still open. */
  usage(instanceId: string): Promise<{ cpu_ms: number; memory_bytes: number; processes: number; disk_bytes: number }>;
  /** Releases timers and watchers of the driver itself; instances go on. */
  close(): Promise<void>;
}

/** One bounded command in the same sandbox as an agent: a build step. */
export interface StepSpec {
  /** For messages and for the sandbox's host name. */
  name: string;
  command: string[];
  cwd: string;
  env: Record<string, string>;
  mounts: Mount[];
  limits: Limits;
  timeout_ms: number;
  egress: Egress;
  /**
   * Host names (with port) of package registries and proxies from the host's own settings, which may lie in private ranges;
   * the step may reach these besides the public internet.
   */
  registries: { host: string; port: number }[];
}

export interface StepResult {
  code: number | null;
  signal: string | null;
  oom: boolean;
  /** It wrote more than `disk_mb`. The earlier content of its writable mounts does not count. */
  disk_full: boolean;
  /** The kernel refused it a process or thread beyond `processes`. False where there are no control groups. */
  forks_refused: boolean;
  timed_out: boolean;
  duration_ms: number;
}

/**
 * Runs build steps. Afterwards the files in a step's writable mounts belong to the platform's user, are readable by all and have no
 * set-user-id bits. Lines come without their line end. `signal` ends the step with all its processes.
 */
export interface StepRunner {
  readonly isolated: boolean;
  run(step: StepSpec, onLine: (stream: 'stdout' | 'stderr', line: string) => void, signal: AbortSignal): Promise<StepResult>;
}

/**
 * A server program of the platform, such as a database server. It runs in the same kind of sandbox as an agent, but listens on the
 * machine's loopback, sees only its mounts, and makes no connections.
 */
export interface ServiceSpec {
  /** Unique for ever; a service that has ended and was removed may be started again under its id. */
  id: string;
  /** Unique among the services of this machine, 1 to 65535. As root the user id follows from it and never changes. */
  user: number;
  command: string[];
  env: Record<string, string>;
  /** Writable mounts belong to `serviceUser(user)`. */
  mounts: Mount[];
  /** As the sandbox sees it. */
  cwd: string;
  /** `disk_mb` bounds each file, not their sum; memory is bounded by control groups only. */
  limits: Limits;
  /** Asks its first process to end in order. */
  stop_signal: 'SIGTERM' | 'SIGINT';
}

export interface Service {
  id: string;
  state: InstanceState;
  started_at: string;
  exit?: { code: number | null; signal: string | null; oom: boolean; at: string };
}

/** Runs services. Like a driver, the runner keeps no memory of its own: services outlive the server and are found again. */
export interface ServiceRunner {
  /** The user id that must own the files that the service may write; undefined: that of this process. */
  serviceUser(user: number): number | undefined;
  /** Returns as soon as the sandbox stands. A service that runs already is left alone; a service that has ended is started anew. */
  start(spec: ServiceSpec, signal: AbortSignal): Promise<Service>;
  /** Asks with the service's signal, then kills after `graceMs`. All its processes end with it. Unknown ids are no error. */
  stop(id: string, graceMs: number): Promise<void>;
  /** Removes a service that has ended; its mounts stay. */
  remove(id: string): Promise<void>;
  list(): Promise<Service[]>;
  /** The end of its output, for messages. */
  tail(id: string, lines: number): string;
  /** Frees the disk space of its output but for the end. Without such calls the program waits once 112 MiB are unread. */
  trimOutput(id: string): Promise<void>;
  usage(id: string): Promise<{ cpu_ms: number; memory_bytes: number; processes: number }>;
  /** The program first, then the processes that it started. Empty once the program has ended. */
  processes(id: string): Promise<number[]>;
  close(): Promise<void>;
}

/** What the probe at start found out about the machine. */
export type Probe =
  | { ok: true; isolated: boolean; details: Record<string, string>; warnings: string[] }
  | { ok: false; reason: string; remedy: string };
