import type { InstallPlan, Plan } from '../plan.ts';
import type { PythonDependencies } from '../python-dependencies.ts';
import type { Mount } from '../step.ts';
import type { Lease } from './leases.ts';
import type { Interpreter } from './pythons.ts';
import type { StepContext } from './step-context.ts';
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
  /** The newest date of the archive's files; null if none can be true. */
  archiveDate: string | null;
  /** The newest versions failed at the start: only those of the archive's date are of use. */
  onlyOlder: boolean;
  /** The newest versions failed at the start: this package is held below that version, as `mcp<2`. */
  below: string | undefined;
  platform: string;
  /** Of a Python plan. */
  python: Interpreter | null;
  tools: ToolStore;
  cache: Mount;
  /** Keeps a layer from removal. */
  hold: Lease['hold'];
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
  /** No lock bound the versions, and the client can leave out what is newer than a date. */
  isUnlocked?: boolean;
}
