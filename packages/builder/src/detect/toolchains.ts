import type { SystemParts } from '../system-packages.ts';

/** The languages for agents, found once by `findToolchains`. */
export interface Toolchains {
  python: PythonToolchain[];
  /** Other minor versions of Python 3 that can be downloaded when an agent requires one. */
  pythonMinors: number[];
  node: NodeToolchain;
  /** Other Node majors that can be downloaded when an agent requires one. */
  nodeMajors: number[];
  /** Absent if they were not searched. */
  system?: SystemParts;
}

export interface PythonToolchain {
  /** The full version, such as 3.11.2. */
  version: string;
  path: string;
  /**
   * The folder of an installation outside the system, such as pyenv's, which agents do not see unless it is mounted. Absent if it belongs
   * to the system and every user may run it.
   */
  home?: string;
}

export interface NodeToolchain {
  version: string;
  path: string;
}
