import type { Limits, Mount } from '../../driver.ts';
import type { Folder, SandboxRecord } from '../records/records.ts';

/** The command of a sandbox, and everything that the sandbox can see. */
export interface LaunchSpec {
  hostname: string;
  /** False for steps and services, which get only their mounts. */
  hasApp: boolean;
  mounts: Mount[];
  /** The working folder as the sandbox sees it. */
  cwd: string;
  command: string[];
  env: Record<string, string>;
  limits: Limits;
  hosts: { name: string; address: string }[];
  resolvers: string[];
  /** Ports of the host's own services that the sandbox may reach. */
  hostPorts: number[];
  /** TCP ports of the host's loopback that the sandbox finds on its own loopback. */
  loopbackPorts: LoopbackPort[];
  dieWithParent: boolean;
  disableUserNamespaces: boolean;
  /** The OOM score, 0 to 1000: how soon the kernel kills the sandbox when the whole machine runs out of memory. */
  oomScore?: number;
}

export interface LoopbackPort {
  /** Port on the loopback of the sandbox. */
  insidePort: number;
  /** Port on the loopback of this machine. */
  hostPort: number;
}

/** A sandbox that is about to start. */
export interface Sandbox {
  folder: Folder;
  record: SandboxRecord;
  launch: LaunchSpec;
}

/** A command line with its environment that becomes the sandbox. */
export interface Chain {
  command: string[];
  env: Record<string, string>;
}
