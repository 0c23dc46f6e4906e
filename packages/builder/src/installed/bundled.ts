import { StrangeFile, walkBelow } from '@paddock/safe-files';
import { readNodeModules } from './node-modules.ts';
import type { PackageCollector } from './package.ts';
import { pickMetadataFile, readMetadata } from './site-packages.ts';

/** The bound of an archive's entries is lower; an install within the source adds its own files. */
const maxEntries = 500_000;

const isNodeModules = (path: string) => /(^|\/)node_modules$/.test(path);
const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** Reads packages anywhere in a source: in each `node_modules`, and by the metadata of Python packages, as in `vendor/x-1.0.dist-info`. */
export function readBundled(root: string, found: PackageCollector): void {
  const isPackages = (path: string) => isNodeModules(path) || pickMetadataFile(nameOf(path)) !== undefined;
  try {
    for (const { path, kind } of walkBelow(root, maxEntries, (entry) => !isPackages(entry.path))) {
      if (kind !== 'folder') continue;
      if (isNodeModules(path)) readNodeModules(root, path, found);
      else readMetadata(root, path, found);
    }
  } catch (error) {
    if (!(error instanceof StrangeFile)) throw error;
    found.miss();
  }
}
