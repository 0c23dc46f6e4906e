/** A decision of the plan and the file (or setting) that caused it: `{what: 'language', value: 'python', because: 'requirements.txt'}`. */
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
  /** The command as a user would type it. The steps that really run are derived from it. */
  command: string[];
  /**
   * Folder of the archive in which the install runs: the root of the workspace that contains the plan's root, or the folder above it that
   * lists the Python dependencies. Absent if it is the plan's root.
   */
  folder?: string;
  /** Names of the workspace's packages, which are never requested from a registry. */
  members?: string[];
  /** Files, relative to the folder of the install, whose content is part of the layer's key. */
  inputs: string[];
  /** Packages that the start needs and the archive doesn't name, such as a server. */
  extra: string[];
  /** The build or the start needs the development dependencies too. */
  dev: boolean;
  /** The install needs the whole source (local packages, own install scripts), so it can't be shared as a layer. */
  needs_source: boolean;
  /** The project itself is installed too, because the start uses a command that it declares. */
  project?: boolean;
  /** The package manager's version, if the archive pins one. */
  manager_version?: string;
  /** Commands that download something into the finished environment, such as a model. The agent starts even if such a download fails. */
  fetches?: string[][];
}

/** A system package that the archive requires and the machine does not have. */
export interface LackedPackage {
  name: string;
  /** `Dockerfile:4` */
  because: string;
}

/** A package whose install script could not fetch a program. */
export interface UnfetchedPackage {
  name: string;
  /** A sentence: `It needs github.com, which this machine doesn’t reach: the name is not known to it.` */
  reason: string;
}

/** A variable that the archive reads or names. */
export interface AskedVariable {
  name: string;
  /** The variable is read without a default, or an example file leaves it empty. */
  required: boolean;
  /** Its name looks like that of a password or a key. */
  secret: boolean;
  /** The place that reads or names it: `main.py:12`, or `package openai` if that package reads it. */
  at: string;
  /** Its default, or the value in an example file; never set for a secret. */
  example?: string;
}

/** Another way to deploy an archive, as a user would enter it: a command line, a folder of the archive, packages that it lacks. */
export interface Choice {
  start?: string;
  root?: string;
  /** Separated by blanks. */
  packages?: string;
  /** The file that names it, or a description of the folder. */
  because: string;
}

/**
 * The kind of an archive, how it is installed, built and started, and why. Stored with the deployment and shown to users, so every field is
 * plain data.
 */
export interface Plan {
  language: Language;
  /** For `python` 3.11.2 or, if it is to be downloaded, 3.12; for `node` 24.21.0 or 22; absent for static and shell. */
  version?: string;
  /** An installed Python that is used if `version` cannot be downloaded. */
  fallback_version?: string;
  framework?: string;
  /** Null if only the process shows it (listens: web; keeps running: worker; exits 0: job). */
  type: AgentType | null;
  /** The reason why the agent may listen although `type` is null, e.g. 'server.js reads PORT'. The start then waits longer. */
  may_listen?: string;
  /** Relative to the archive's root, '' for the root itself. */
  root: string;
  install: InstallPlan | null;
  build: string[] | null;
  /** `$PORT` in it (and in `env`) stands for the port that the running agent gets. */
  start: string[];
  /** The author's way to run the source, for a start whose file the build does not make. */
  source_start?: { command: string[]; because: string };
  /** Folder below `root` in which the start command runs; if absent, `root`. */
  start_in?: string;
  /** The port in the manifest; if absent, $PORT. */
  port?: number;
  /** Path from the manifest that responds when the agent is ready. */
  health?: string;
  start_budget_s: number;
  /** From the manifest and the rules. The project's own variables override these. */
  env: Record<string, string>;
  /** Required variables come first. A failed start names those that are not set. */
  asked_variables?: AskedVariable[];
  /** Alternatives to the chosen start and folder, likeliest first; absent if there are none. */
  choices?: Choice[];
  /** System packages that are missing; a failed start lists them. */
  lacks?: LackedPackage[];
  /** Packages that were installed without the program which their install script fetches. */
  unfetched?: UnfetchedPackage[];
  /** Python modules or Node packages that the start loads and that no listed package is named after. Some come with another package. */
  unlisted_modules?: string[];
  reasons: Reason[];
  warnings: string[];
}
