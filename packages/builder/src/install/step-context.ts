import type { BuildStep } from '../build-error.ts';
import type { HostRegistry } from '../registry/host-registry.ts';
import type { Mount, StepLimits, StepRunner } from '../step.ts';

/** The parts that all steps of one build share. */
export interface StepContext {
  run: StepRunner;
  dataDir: string;
  registry: HostRegistry;
  limits: StepLimits;
  egressAllow: string[];
  /** Milliseconds on the monotonic clock by which the whole build has to be over. */
  deadline: number;
  /** The time that the whole build has, for messages. */
  budgetSeconds: number;
  signal: AbortSignal;
  /** Gets redacted lines. */
  onLine: (stream: 'stdout' | 'stderr', line: string) => void;
  redact: (text: string) => string;
}

export interface Command {
  step: BuildStep;
  /** What the command does, for the message when it fails, such as `installing dependencies`. */
  doing: string;
  command: string[];
  cwd: string;
  env: Record<string, string>;
  mounts: readonly Mount[];
  /** The command gets the host's logins for registries; never set for a project's own code. */
  credentials: boolean;
}
