import type { InstallPlan, Plan, UnfetchedPackage } from '../plan.ts';
import type { PythonDependencies } from '../python-dependencies.ts';
import type { Mount } from '../step.ts';
import type { Lease } from './leases.ts';
import type { Interpreter } from './python-store.ts';
import type { StepContext } from './step-context.ts';
import type { ToolStore } from './tools.ts';

export interface InstallRequest {
  plan: Plan;
  install: InstallPlan;
  /** Dependencies of a Python project, as the archive's thread read them. */
  dependencies: PythonDependencies | null;
  /** The unpacked source. An install that needs it may change it. */
  appDir: string;
  dataDir: string;
  teamId: string;
  /** The archive's hash, part of the key of layers that cannot be shared. */
  sourceHash: string;
  /** The newest date of the archive's files; null if no date is plausible. */
  archiveDate: string | null;
  /** The newest versions failed at the start, so only those of the archive's date are useful. */
  onlyOlder: boolean;
  /** The newest versions failed at the start, so this requirement limits the package, such as `mcp<2`. */
  below: string | undefined;
  platform: string;
  /** The interpreter of a Python plan; otherwise null. */
  python: Interpreter | null;
  tools: ToolStore;
  cache: Mount;
  /** Protects a layer from removal. */
  hold: Lease['hold'];
  context: StepContext;
  say: (text: string) => void;
}

/** The additions of an install to the running agent. */
export interface Installed {
  mounts: Mount[];
  /** Folders for PATH, inside the sandbox. */
  path: string[];
  env: Record<string, string>;
  layerKeys: string[];
  installed: boolean;
  warnings: string[];
  /** No lock bound the versions, and the client can exclude versions newer than a date. */
  isUnlocked?: boolean;
  /** Not empty if packages lack the programs that their install scripts fetch: the same archive is built anew the next time. */
  unfetched?: UnfetchedPackage[];
}
