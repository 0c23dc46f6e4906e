// The builder's view of the runtime's step runner. The types are structurally equal, so that neither package imports the other.

/** A path of the host that the sandbox sees at `at`, read-only unless it is `writable`. */
export interface Mount {
  from: string;
  at: string;
  writable?: boolean;
}

export interface StepLimits {
  memory_mb: number;
  cpus: number;
  processes: number;
  disk_mb: number;
  open_files: number;
}

/** A bounded command in the same sandbox as an agent. */
export interface StepSpec {
  name: string;
  command: string[];
  cwd: string;
  env: Record<string, string>;
  mounts: Mount[];
  limits: StepLimits;
  timeout_ms: number;
  egress: { allow: string[] };
  registries: { host: string; port: number }[];
}

export interface StepResult {
  code: number | null;
  signal: string | null;
  oom: boolean;
  disk_full: boolean;
  forks_refused: boolean;
  timed_out: boolean;
  duration_ms: number;
}

/** Runs build steps; lines come without their line end. */
export interface StepRunner {
  readonly isolated: boolean;
  run(step: StepSpec, onLine: (stream: 'stdout' | 'stderr', line: string) => void, signal: AbortSignal): Promise<StepResult>;
}
