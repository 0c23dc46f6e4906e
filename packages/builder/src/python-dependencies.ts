export type PythonManager = 'uv.lock' | 'poetry.lock' | 'pdm.lock' | 'Pipfile.lock' | 'requirements.txt' | 'pyproject.toml' | 'Pipfile';

/** The bound of requirements files that are read, included files among them. */
export const maxIncludes = 30;

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
}
