/** The languages for agents; found once by `findToolchains`. */
export interface Toolchains {
  python: PythonToolchain[];
  node: NodeToolchain;
  /** Other Node majors that can be fetched when an agent asks for one. */
  nodeMajors: number[];
}

export interface PythonToolchain {
  /** 3.11.2 */
  version: string;
  /** An executable that every user of the machine may run. */
  path: string;
}

export interface NodeToolchain {
  version: string;
  path: string;
}
