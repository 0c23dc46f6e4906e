import type { AgentType } from '../plan.ts';

/** A person's settings of an agent, by the form, the API or `paddock.yaml`. Absent settings are detected. */
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
  /** Folder of the agent inside of the archive. */
  root?: string;
  /** Packages of PyPI or npm beside those that the archive names, each as `readAddedPackages` of the contract gives it. */
  packages?: string[];
  /** Folder, start command and packages are those that the project keeps, not those of this deployment. */
  of_project?: boolean;
  /** Seconds until the agent has to be ready. */
  start_budget?: number;
}

export const reservedNames = /^(PORT|DATABASE_URL|REDIS_URL|PADDOCK_.*)$/;
