export type PythonManager =
  | 'uv.lock'
  | 'poetry.lock'
  | 'pdm.lock'
  | 'Pipfile.lock'
  | 'requirements.txt'
  | 'pyproject.toml'
  | 'setup.cfg'
  | 'setup.py'
  | 'Pipfile'
  | 'environment.yml'
  | 'Dockerfile'
  | 'the added packages';

/** The bound of requirements files that are read, included files among them. */
export const maxIncludes = 30;

export interface StaleLock {
  /** What is out of step, as the end of a sentence about the lock file. */
  why: string;
  /** What the project asks for: the lines to resolve anew. */
  wanted: string[];
  /** Makes the lock file again. */
  command: string;
}

/** How a Python project names its dependencies. */
export interface PythonDependencies {
  /** The file that decides. */
  file: PythonManager;
  /** Names as far as they are known, normalised, extras as `name[extra]`. */
  names: Set<string>;
  inputs: string[];
  needsSource: boolean;
  /** Lines to install: exact lines without resolving (`locked`), lines to resolve, or null if the tool reads the file itself. */
  lines: string[] | null;
  locked: boolean;
  /** A lock file that was made for something else than what the project asks for now. */
  stale?: StaleLock;
  /** The list in the place of requirements.txt: one that a Dockerfile installs, or has the name of a lock. `file` is 'requirements.txt' then. */
  list?: string;
}
