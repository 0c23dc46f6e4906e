import { readBundled } from './bundled.ts';
import { readNodeModules } from './node-modules.ts';
import { createPackageCollector, type InstalledPackages, type PackagePlace } from './package.ts';
import { readVenv } from './site-packages.ts';

/** Reads the packages installed in these places. Runs in a thread, because it blocks on the disk. */
export function readPlaces(places: readonly PackagePlace[]): InstalledPackages {
  const found = createPackageCollector();
  for (const { root, kind } of places) {
    if (kind === 'node_modules') readNodeModules(root, '', found);
    else if (kind === 'venv') readVenv(root, '', found);
    else readBundled(root, found);
  }
  return found.result();
}
