import type { Mount } from '../step.ts';

/** A tool as a step or an agent sees it. */
export interface Tool {
  version: string;
  mounts: Mount[];
  /** Folder to put on PATH, inside the sandbox. */
  path: string;
}
