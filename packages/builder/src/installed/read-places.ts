import { readNodeModules } from './node-modules.ts';
import { collecting, type InstalledPackages, type PackagePlace } from './package.ts';
import { readVenv } from './site-packages.ts';

/** Reads what is installed in these places. Runs in a thread: it waits for the disk. */
export function readPlaces(places: readonly PackagePlace[]): InstalledPackages {
  const found = collecting();
  for (const { root, kind, folder } of places) {
    if (kind === 'node_modules') readNodeModules(root, '', found);
    else if (kind === 'venv') readVenv(root, '', found);
    else {
      for (const at of new Set(['', folder])) {
        const below = (name: string) => (at === '' ? name : `${at}/${name}`);
        readNodeModules(root, below('node_modules'), found);
        for (const venv of ['.venv', 'venv']) readVenv(root, below(venv), found);
      }
    }
  }
  return found.result();
}
