import { listBelow, readStartBelow, StrangeFile } from '@paddock/safe-files';
import type { PackageCollector } from './package.ts';

const maxEntries = 50_000;
const maxFolders = 60_000;
/** The longest manifest in the npm registry is half this size. */
const maxManifestBytes = 512 * 1024;

/** Reads the packages in a `node_modules` folder, those within packages, and those that pnpm keeps beside them. Links are not followed. */
export function readNodeModules(root: string, start: string, found: PackageCollector): void {
  const pending = [start];
  for (let looked = 0; pending.length > 0 && !found.isFull(); looked++) {
    if (looked === maxFolders) return found.miss();
    const modules = pending.pop() ?? '';
    for (const { path, name } of packagesIn(root, modules, found)) {
      if (name === '.pnpm') {
        for (const { name: kept } of listFolders(root, path, found)) pending.push(`${path}/${kept}/node_modules`);
        continue;
      }
      const manifest = readManifest(root, `${path}/package.json`, found);
      if (manifest) found.add('npm', manifest.name, { version: manifest.version, license: manifest.license });
      pending.push(`${path}/node_modules`);
    }
  }
}

function packagesIn(root: string, modules: string, found: PackageCollector): { path: string; name: string }[] {
  return listFolders(root, modules, found).flatMap(({ name }) => {
    const path = modules === '' ? name : `${modules}/${name}`;
    if (name.startsWith('@')) return listFolders(root, path, found).map((one) => ({ path: `${path}/${one.name}`, name: one.name }));
    return name.startsWith('.') && name !== '.pnpm' ? [] : [{ path, name }];
  });
}

/** Empty if the folder does not exist. */
function listFolders(root: string, path: string, found: PackageCollector): { name: string }[] {
  try {
    return (listBelow(root, path, maxEntries) ?? []).filter((entry) => entry.kind === 'folder');
  } catch (error) {
    if (!(error instanceof StrangeFile)) throw error;
    found.miss();
    return [];
  }
}

/** Undefined if there is no manifest: a folder without one is not a package. */
function readManifest(root: string, path: string, found: PackageCollector): Record<string, unknown> | undefined {
  try {
    const bytes = readStartBelow(root, path, maxManifestBytes);
    if (bytes === undefined) return undefined;
    const manifest: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof manifest === 'object' && manifest !== null ? (manifest as Record<string, unknown>) : undefined;
  } catch (error) {
    if (!(error instanceof StrangeFile || error instanceof SyntaxError)) throw error;
    found.miss();
    return undefined;
  }
}
