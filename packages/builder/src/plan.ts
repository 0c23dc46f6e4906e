/** One decision of the plan and the file (or setting) that caused it: `{what: 'language', value: 'python', because: 'requirements.txt'}`. */
export interface Reason {
  what: string;
  value: string;
  because: string;
}

export type Language = 'python' | 'node' | 'static' | 'shell';
export type AgentType = 'web' | 'worker' | 'job';

/**
 * What an archive is, how it is installed, built and started, and why. Stored with the deployment and shown to people,
 * so every field is plain data.
 */
export interface Plan {
  language: Language;
  /** `python` 3.11.2, `node` 24.21.0; absent for static and shell. */
  version?: string;
  framework?: string;
  /** Null: the process decides (listens: web; stays up: worker; exits 0: job). */
  type: AgentType | null;
  /** Relative to the archive's root, '' for the root itself. */
  root: string;
  install: { manager: string; command: string[] /** files whose content keys the layer */; inputs: string[] } | null;
  build: string[] | null;
  start: string[];
  /** The port the manifest says; else $PORT. */
  port?: number;
  /** Path that answers when the agent is ready, as the manifest says. */
  health?: string;
  start_budget_s: number;
  /** From the manifest; the project's own variables win over these. */
  env: Record<string, string>;
  reasons: Reason[];
  warnings: string[];
}
