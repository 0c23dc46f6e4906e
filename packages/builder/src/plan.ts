/** One decision of the plan and the file (or setting) that caused it: `{what: 'language', value: 'python', because: 'requirements.txt'}`. */
export interface Reason {
  what: string;
  value: string;
  because: string;
}

export type Language = 'python' | 'node' | 'static' | 'shell';
export type AgentType = 'web' | 'worker' | 'job';

/** How dependencies are installed. */
export interface InstallPlan {
  manager: string;
  /** As a person would type it; the steps that really run are derived from it. */
  command: string[];
  /**
   * Folder of the archive in which the install runs: the top of the workspace that the plan's root is a member of, or the folder above it that
   * lists the Python dependencies. Absent: the plan's root.
   */
  folder?: string;
  /** Names of the packages of the workspace: no registry is asked for them. */
  members?: string[];
  /** Files, relative to the folder of the install, whose content keys the layer. */
  inputs: string[];
  /** Packages that the start needs and the archive doesn't name, such as a server. */
  extra: string[];
  /** Development dependencies too: the build or the start needs them. */
  dev: boolean;
  /** The install needs the whole source (local packages, own install scripts), so it can't be shared as a layer. */
  needs_source: boolean;
  /** The project itself is installed too: the start uses a command that it declares. */
  project?: boolean;
  /** The package manager's version, where the archive pins one. */
  manager_version?: string;
  /** Commands that fetch something into the environment once it is made, such as a model. The agent starts without what they can't fetch. */
  fetches?: string[][];
}

/** A package of the system that the archive asks for and the machine does not have. */
export interface LackedPackage {
  name: string;
  /** `Dockerfile:4` */
  because: string;
}

/** A variable that the archive reads or names. */
export interface AskedVariable {
  name: string;
  /** It is read without a default, or an example file leaves it empty. */
  required: boolean;
  /** Its name is that of a password or a key. */
  secret: boolean;
  /** Where the archive reads or names it: `main.py:12`, or `package openai` if that package reads it. */
  at: string;
  /** Its default, or the value of an example file; never of a secret. */
  example?: string;
}

/** Another way to deploy an archive, as a person would give it: a command line, a folder of the archive, packages that it lacks. */
export interface Choice {
  start?: string;
  root?: string;
  /** Parted by blanks. */
  packages?: string;
  /** The file that says so, or what the folder holds. */
  because: string;
}

/**
 * What an archive is, how it is installed, built and started, and why. Stored with the deployment and shown to people,
 * so every field is plain data.
 */
export interface Plan {
  language: Language;
  /** `python` 3.11.2 or, if it is to be fetched, 3.12; `node` 24.21.0 or 22; absent for static and shell. */
  version?: string;
  /** A Python that is here and taken if `version` cannot be fetched. */
  fallback_version?: string;
  framework?: string;
  /** Null: the process decides (listens: web; stays up: worker; exits 0: job). */
  type: AgentType | null;
  /** If `type` is null: why the agent may listen nevertheless, e.g. 'server.js reads PORT'. The start then waits longer. */
  may_listen?: string;
  /** Relative to the archive's root, '' for the root itself. */
  root: string;
  install: InstallPlan | null;
  build: string[] | null;
  /** `$PORT` in it (and in `env`) stands for the port that the running agent is given. */
  start: string[];
  /** Folder below `root` in which the start command runs; absent: `root`. */
  start_in?: string;
  /** The port the manifest says; else $PORT. */
  port?: number;
  /** Path that answers when the agent is ready, as the manifest says. */
  health?: string;
  start_budget_s: number;
  /** From the manifest and the rules; the project's own variables win over these. */
  env: Record<string, string>;
  /** Required ones first. A failed start names those that are not set. */
  asked_variables?: AskedVariable[];
  /** Other starts and folders than the chosen ones, likeliest first; absent if there are none. */
  choices?: Choice[];
  /** A failed start tells of them. */
  lacks?: LackedPackage[];
  /** Python's modules that the start loads and no listed package is named after; most come with another package. */
  unlisted_modules?: string[];
  reasons: Reason[];
  warnings: string[];
}
