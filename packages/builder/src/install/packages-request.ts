import type { UnfetchedPackage } from '../plan.ts';
import type { Mount } from '../step.ts';
import type { InstallRequest } from './request.ts';
import type { Tool } from './tool.ts';

/** An install of packages by a client of npm's registry. */
export interface PackagesRequest {
  request: InstallRequest;
  node: Tool;
  manager: Tool;
  /** Folder of package.json, as the sandbox sees it. */
  cwd: string;
  /** Folder that the steps may change, and the folder of package.json in it. */
  tree: string;
  folder: string;
  mounts: Mount[];
  warn: (text: string) => void;
  /** These packages lack programs, so a later build of the same must try again. */
  markIncomplete: (unfetched: UnfetchedPackage[]) => void;
  /** Packages were added to those of a lock: versions of the archive's time are tried first, since the lock's are of then. */
  isAddedToLock?: boolean;
  /** Install scripts run by `run_script.mjs`, which lets those fail that reach no host. */
  isUnfetched?: boolean;
  /** Settings of the client for this attempt. */
  env?: Record<string, string>;
}
