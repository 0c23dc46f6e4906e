import type { BuildStep } from '../build-error.ts';
import type { HostRegistry } from '../registry/host-registry.ts';
import type { Mount, StepLimits, StepRunner } from '../step.ts';

/** Values that all steps of one build share. */
export interface StepContext {
  run: StepRunner;
  dataDir: string;
  registry: HostRegistry;
  limits: StepLimits;
  egressAllow: string[];
  /** Deadline of the whole build, in milliseconds on the monotonic clock. */
  deadline: number;
  /** The time budget of the whole build, for messages. */
  budgetSeconds: number;
  signal: AbortSignal;
  /** Receives redacted lines. */
  onLine: (stream: 'stdout' | 'stderr', line: string) => void;
  redact: (text: string) => string;
}

export interface Command {
  step: BuildStep;
  /** The purpose of the command for its failure message, such as `installing dependencies`. */
  doing: string;
  command: string[];
  cwd: string;
  env: Record<string, string>;
  mounts: readonly Mount[];
  /** The language of the project, which says what package brings a missing program. */
  language?: string;
  /** Whether the caller makes another attempt than the same one again. */
  hasOtherAttempt?: () => boolean;
  /** The command gets the host's logins for registries; never set for a project's own code. */
  credentials: boolean;
}
