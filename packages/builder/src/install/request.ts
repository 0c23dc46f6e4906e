import type { InstallPlan, Plan } from '../plan.ts';
import type { PythonDependencies } from '../python-dependencies.ts';
import type { Mount } from '../step.ts';
import type { Interpreter } from './pythons.ts';
import type { StepContext } from './run-step.ts';
import type { ToolStore } from './tools.ts';

export interface InstallRequest {
  plan: Plan;
  install: InstallPlan;
  /** Dependencies of a Python project, as the archive's thread read them. */
  dependencies: PythonDependencies | null;
  /** The unpacked source; an install that needs it may change it. */
  appDir: string;
  dataDir: string;
  teamId: string;
  /** Of the archive: part of the key of layers that cannot be shared. */
  sourceHash: string;
  platform: string;
  /** Of a Python plan. */
  python: Interpreter | null;
  tools: ToolStore;
  cache: Mount;
  context: StepContext;
  say: (text: string) => void;
}

/** The additions of an install to the running agent. */
export interface Installed {
  mounts: Mount[];
  /** Folders for PATH, inside of the sandbox. */
  path: string[];
  env: Record<string, string>;
  layerKeys: string[];
  installed: boolean;
  warnings: string[];
}
