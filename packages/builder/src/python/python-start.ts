import type { AgentType } from '../plan.ts';
import type { providers } from './frameworks.ts';
import type { Standing } from './standing.ts';

/** The start of a Python agent and its source. */
export interface PythonStart {
  command: string[];
  framework?: string;
  type: AgentType | null;
  because: string;
  env?: Record<string, string>;
  /** A folder that has to be on Python's path. */
  folder?: string;
  /** Packages that the command needs. They are added to the install if no dependency includes them. */
  needs: (keyof typeof providers)[];
  /** The framework's package, if the dependencies name it only in an optional group, or not at all. */
  adds?: { name: string; standing: Standing };
  warnings?: string[];
}
