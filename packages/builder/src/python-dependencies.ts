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

/** Maximum number of requirements files that are read, included files among them. */
export const maxIncludes = 30;

export interface StaleLock {
  /** The difference, as the end of a sentence about the lock file. */
  why: string;
  /** The project's requirements: the lines to resolve again. */
  wanted: string[];
  /** The command that creates the lock file again. */
  command: string;
}

/** The dependencies of a Python project. */
export interface PythonDependencies {
  /** The file that names them. */
  file: PythonManager;
  /** The known names, normalised, with extras as `name[extra]`. */
  names: Set<string>;
  inputs: string[];
  needsSource: boolean;
  /** Lines to install: exact lines without resolving (`locked`), lines to resolve, or null if the tool reads the file itself. */
  lines: string[] | null;
  locked: boolean;
  /** Set if the lock file does not match the project's current requirements. */
  stale?: StaleLock;
  /**
   * The file used in place of requirements.txt: one that a Dockerfile installs, or one that has the name of a lock. `file` is
   * 'requirements.txt' then.
   */
  list?: string;
  /** The lines of a list that names an exact version of each package, as `pip freeze` writes it. */
  pinned?: string[];
}
