import { createHash } from 'node:crypto';
import { mkdirSync, realpathSync } from 'node:fs';
import { type CgroupRoot, cgroupRoot } from '../limits/cgroup-root.ts';
import type { Mode } from '../records/records.ts';
import type { Log } from './log.ts';
import { createOnceLogger, type OnceLogger } from './log-once.ts';
import { run } from './run.ts';

/** The machine as one installation sees it. */
export interface Host {
  dataDir: string;
  /** Six characters in the names of everything that the installation creates on the machine. */
  tag: string;
  mode: Mode;
  log: Log;
  troubles: OnceLogger;
  platformPorts: Set<number>;
  cgroups: CgroupRoot | undefined;
  /** Whether this bwrap can forbid further user namespaces; the system call filter forbids them in any case. */
  disableUserNamespaces(): Promise<boolean>;
}

export interface HostOptions {
  dataDir: string;
  installation: string;
  unsandboxed?: boolean;
  platformPorts?: number[];
  log: Log;
}

export function thisHost(options: HostOptions): Host {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  const dataDir = realpathSync(options.dataDir);
  // The tag also depends on the folder: a copied data folder carries the same label, and must not end the agents of the original.
  const tag = createHash('sha256').update(`${options.installation}\0${dataDir}`).digest('hex').slice(0, 6);
  let help: Promise<boolean> | undefined;
  return {
    dataDir,
    tag,
    mode: detectMode(options),
    log: options.log,
    troubles: createOnceLogger(options.log),
    platformPorts: new Set(options.platformPorts),
    cgroups: cgroupRoot(`paddock-${tag}`),
    disableUserNamespaces: () => (help ??= run('bwrap', ['--help']).then(({ stdout }) => stdout.includes('--disable-userns'))),
  };
}

function detectMode({ unsandboxed }: HostOptions): Mode {
  if (unsandboxed) return 'unsandboxed';
  return process.getuid?.() === 0 ? 'root' : 'user';
}
