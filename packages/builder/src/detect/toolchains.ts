import type { SystemParts } from '../system-packages.ts';

/** The languages for agents; found once by `findToolchains`. */
export interface Toolchains {
  python: PythonToolchain[];
  /** Other minor versions of Python 3 that can be fetched when an agent asks for one. */
  pythonMinors: number[];
  node: NodeToolchain;
  /** Other Node majors that can be fetched when an agent asks for one. */
  nodeMajors: number[];
  /** Absent: nobody looked. */
  system?: SystemParts;
}

export interface PythonToolchain {
  /** 3.11.2 */
  version: string;
  path: string;
  /** The folder that it came in, such as pyenv's, which agents do not see by itself. Absent: it belongs to the system, and every user may run it. */
  home?: string;
}

export interface NodeToolchain {
  version: string;
  path: string;
}
