import type { HostRule, RefusedHost } from './hosts.ts';

/** A file-system path of the host that the sandbox sees read-only (or, for `writable`, may change) at `at`. */
export interface Mount {
  from: string;
  at: string;
  writable?: boolean;
}

export interface Limits {
  memory_mb: number;
  /** Cores, possibly fractional: 0.5 is half a core. */
  cpus: number;
  processes: number;
  /** Bytes that the instance may keep on disk: its /app, /home/agent with the places below it, and /tmp together. */
  disk_mb: number;
  open_files: number;
}

/** The networks that an instance may reach. Loopback, neighbours, private ranges and the platform itself are always refused. */
export interface Egress {
  /** CIDRs that the operator opened (`PADDOCK_EGRESS_ALLOW`), besides the public internet. */
  allow: string[];
}

/** A running copy of an agent. `id` is never reused; `deployment_id` and `generation` identify its deployment. */
export interface InstanceSpec {
  id: string;
  deployment_id: string;
  /**
   * The owner of the instance, such as a team. Resources shared by all instances, such as connections and questions to the resolver, are
   * also bounded for each owner.
   */
  owner: string;
  /** Fencing number: if a deployment has two instances, the one with the higher generation counts. */
  generation: number;
  /** Folder whose content becomes the instance's own writable /app. The content is copied; the artifact never changes. */
  app_dir: string;
  /** Read-only layers and toolchains, mounted over or beside /app. */
  mounts: Mount[];
  /** Relative to /app, '' for /app itself. */
  cwd: string;
  /** An argument list; '/bin/sh','-c',… if the plan needs a shell. */
  command: string[];
  /**
   * The whole environment. The driver only adds PORT, HOME, TMPDIR, LANG and PATH if they are missing. Without a sandbox the driver always
   * sets PORT, since the host's ports are shared.
   */
  env: Record<string, string>;
  limits: Limits;
  egress: Egress;
  /** Host rules that are in force before the agent starts. Without a sandbox, a start with rules is refused. */
  hosts?: HostRule[];
  /**
   * TCP ports of 127.0.0.1 on this machine that the instance also finds at 127.0.0.1 of its own network: its databases. No other port of
   * the machine's loopback is reachable. 8080 is not allowed, since agents listen on it. Without isolation all ports are reachable. The
   * service is also found at `usual_port`, since many agents are only given the host of a database. Without isolation `usual_port` has no
   * effect, because that port is the machine's.
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
   * Set once the instance has exited and all of its output is in the files. Code and signal are both null if they are unknown because the
   * machine was restarted or the supervisor was killed.
   */
  exit?: { code: number | null; signal: string | null; oom: boolean; disk_full: boolean; at: string };
}

/**
 * Distinguishes an agent that waits from an agent that is still starting. The counters start with the instance, and drop when processes
 * exit.
 */
export interface Activity {
  cpu_ms: number;
  /**
   * Read through system calls (files, pipes, sockets that are read like files) and from disks. The disks' part includes mapped libraries.
   */
  read_bytes: number;
  /** Received from other machines; 0 if the network is not the instance's own. */
  received_bytes: number;
  /** Start time of its youngest process, in clock ticks of the machine. A changed value means that a process was started or has exited. */
  last_start: number;
  /** A process is running right now, or waits for a processor or a disk. */
  is_waiting: boolean;
  /** A connection is being opened right now, or a name looked up. */
  is_connecting: boolean;
}

/** Paths of an instance's output. The files only grow. `releaseOutput` may free the bytes before the reader's offset. */
export interface OutputFiles {
  stdout: string;
  stderr: string;
}

/**
 * Runs agent instances on one kind of host. Drivers keep no state of their own: `list` reads the host, so a restarted server finds the
 * running instances. Every driver passes `driver.suite.ts`.
 */
export interface RuntimeDriver {
  readonly name: 'process' | 'docker' | 'swarm';
  /** False only under PADDOCK_UNSANDBOXED=1. */
  readonly isolated: boolean;
  /**
   * Starts the process and returns as soon as its sandbox is set up, before the agent is ready. Throws and leaves nothing behind if the
   * sandbox cannot be set up. Starting an id that is running, or that has exited and was not removed, returns that instance.
   */
  start(spec: InstanceSpec, signal: AbortSignal): Promise<Instance>;
  /** Asks the whole process group to exit, then kills it after `graceMs`. Stopping a stopped or unknown instance is not an error. */
  stop(instanceId: string, graceMs: number): Promise<void>;
  /** Removes an exited instance: its writable files, output files and records. Throws while the instance runs. */
  remove(instanceId: string): Promise<void>;
  /** All instances of this installation: running ones, and exited ones that were not removed yet. */
  list(): Promise<Instance[]>;
  /** A single instance, for callers that wait for one and need not list all. */
  find(id: string): Promise<Instance | undefined>;
  /**
   * The TCP ports that the instance listens on right now, in the order in which to try them ($PORT first). `loopback_only` marks ports
   * bound to 127.0.0.1 or [::1] inside the sandbox.
   */
  listening(instanceId: string): Promise<{ port: number; family: 4 | 6; loopback_only: boolean }[]>;
  /** The work of its processes so far. Cheap enough to be polled twice a second. All zero once it has exited. */
  activity(instanceId: string): Promise<Activity>;
  /**
   * The address at which the instance responds as soon as it listens on $PORT beyond its own loopback. Connecting there costs a fraction of
   * `listening`. Undefined if the address is only known after `expose`.
   */
  direct(instanceId: string): { host: string; port: number } | undefined;
  /** Makes `port` of the instance reachable from this host and returns the address. May be called again if the port changes. */
  expose(instanceId: string, port: number): Promise<{ host: string; port: number }>;
  /**
   * Replaces the host rules of a running instance; an empty list removes them. Resolves once the rules are in force. They also apply while
   * no server runs. Throws if rules cannot be enforced: without a sandbox, or when the instance has exited.
   */
  holdToHosts(instanceId: string, rules: readonly HostRule[]): Promise<void>;
  /** Reports refused hosts that instances requested: each host once a minute, and a bounded number per instance. */
  onRefusedHost(listener: (refused: RefusedHost) => void): void;
  output(instanceId: string): OutputFiles;
  /** Frees disk space of output before the byte offsets up to which a reader has stored it. Offsets stay valid. */
  releaseOutput(instanceId: string, offsets: { stdout: number; stderr: number }): Promise<void>;
  /** The part of `usage` that is cheap enough to be polled every few seconds. All zero but the processor time once it has exited. */
  load(instanceId: string): Promise<{ cpu_ms: number; memory_bytes: number; processes: number }>;
  /**
   * Usage since the start of the instance. `disk_bytes` counts /app, /home/agent and /tmp, 512 bytes per file, and deleted files that are
   * still open.
   */
  usage(instanceId: string): Promise<{ cpu_ms: number; memory_bytes: number; processes: number; disk_bytes: number }>;
  /** Releases timers and watchers of the driver itself. Instances keep running. */
  close(): Promise<void>;
}

/** A bounded command in the same sandbox as an agent: a build step. */
export interface StepSpec {
  /** Used in messages and for the sandbox's host name. */
  name: string;
  command: string[];
  cwd: string;
  env: Record<string, string>;
  mounts: Mount[];
  limits: Limits;
  timeout_ms: number;
  egress: Egress;
  /**
   * Host names (with port) of package registries and proxies from the host's own settings, which may be in private ranges. The step may
   * reach these besides the public internet.
   */
  registries: { host: string; port: number }[];
}

export interface StepResult {
  code: number | null;
  signal: string | null;
  oom: boolean;
  /** The step wrote more than `disk_mb`. The earlier content of its writable mounts does not count. */
  disk_full: boolean;
  /** The kernel refused a process or thread beyond `processes`. False if there are no control groups. */
  forks_refused: boolean;
  timed_out: boolean;
  duration_ms: number;
}

/**
 * Runs build steps. Afterwards the files in a step's writable mounts belong to the platform's user, are readable by all and have no
 * set-user-id bits. Lines come without their line end. An abort of `signal` ends the step with all its processes.
 */
export interface StepRunner {
  readonly isolated: boolean;
  run(step: StepSpec, onLine: (stream: 'stdout' | 'stderr', line: string) => void, signal: AbortSignal): Promise<StepResult>;
}

/**
 * A server program of the platform, such as a database server. It runs in the same kind of sandbox as an agent, but listens on the
 * machine's loopback, sees only its mounts, and opens no connections.
 */
export interface ServiceSpec {
  /** Unique. A service that has exited and was removed may be started again under its id. */
  id: string;
  /** Unique among the services of this machine, 1 to 65535. When Paddock runs as root, the user id is derived from it and never changes. */
  user: number;
  command: string[];
  env: Record<string, string>;
  /** Writable mounts belong to `serviceUser(user)`. */
  mounts: Mount[];
  /** The working folder as the sandbox sees it. */
  cwd: string;
  /** `disk_mb` bounds each file, not their sum. Memory is bounded by control groups only. */
  limits: Limits;
  /** The signal that asks its first process to shut down cleanly. */
  stop_signal: 'SIGTERM' | 'SIGINT';
}

export interface Service {
  id: string;
  state: InstanceState;
  started_at: string;
  exit?: { code: number | null; signal: string | null; oom: boolean; at: string };
}

/** Runs services. Like a driver, the runner keeps no state of its own: services outlive the server and are found again. */
export interface ServiceRunner {
  /** The user id that must own the files that the service may write; undefined if it is that of this process. */
  serviceUser(user: number): number | undefined;
  /** Returns as soon as the sandbox is set up. A running service is left unchanged; a service that has exited is started again. */
  start(spec: ServiceSpec, signal: AbortSignal): Promise<Service>;
  /** Sends the service's signal, then kills after `graceMs`. All its processes end with it. Unknown ids are not an error. */
  stop(id: string, graceMs: number): Promise<void>;
  /** Removes a service that has exited. Its mounts are kept. */
  remove(id: string): Promise<void>;
  list(): Promise<Service[]>;
  /** The last lines of its output, for messages. */
  tail(id: string, lines: number): string;
  /** Frees the disk space of its output except the end. Without such calls the program blocks once 112 MiB are unread. */
  trimOutput(id: string): Promise<void>;
  usage(id: string): Promise<{ cpu_ms: number; memory_bytes: number; processes: number }>;
  /** The program first, then the processes that it started. Empty once the program has exited. */
  processes(id: string): Promise<number[]>;
  close(): Promise<void>;
}

/** The result of the probe of the machine at start. */
export type Probe =
  | { ok: true; isolated: boolean; details: Record<string, string>; warnings: string[] }
  | { ok: false; reason: string; remedy: string };
