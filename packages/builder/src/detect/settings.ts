import type { AgentType } from '../plan.ts';

/** A user's settings of an agent, from the form, the API or `paddock.yaml`. Absent settings are detected. */
export interface PlanSettings {
  /** A shell line, or an argument list that runs without a shell. */
  start?: string | string[];
  build?: string | string[];
  type?: AgentType;
  port?: number;
  health?: string;
  env?: Record<string, string>;
  python?: string;
  node?: string;
  /** Folder of the agent inside the archive. */
  root?: string;
  /** Packages of PyPI or npm besides those that the archive names, each in the form that `readAddedPackages` of the contract returns. */
  packages?: string[];
  /** Folder, start command and packages are saved in the project, not set for this deployment. */
  of_project?: boolean;
  /** Seconds until the agent has to be ready. */
  start_budget?: number;
}

export const reservedNames = /^(PORT|DATABASE_URL|REDIS_URL|PADDOCK_.*)$/;
