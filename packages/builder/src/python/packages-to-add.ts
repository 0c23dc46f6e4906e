import type { SourceTree } from '../detect/source-tree.ts';
import { packageOfModule } from '../module-packages.ts';
import { type EntryFile, thirdParty } from './entry.ts';

/** Packages of the index that the files import, for advice if no file lists them. `own`: modules of the archive's other folders. */
export function packagesToAdd(files: EntryFile[], { tree, own }: { tree: SourceTree; own: Set<string> }): string[] {
  const modules = thirdParty(files, tree).filter((name) => !own.has(name));
  const names = modules.filter((name) => name !== 'google').map((name) => packageOfModule(name) ?? name.replaceAll('_', '-'));
  return [...new Set([...names, ...(modules.includes('google') ? packagesOfGoogle(files) : [])])].sort();
}

/** Many packages share the module `google`; the next parts of the import show which one is meant. */
function packagesOfGoogle(files: EntryFile[]): string[] {
  const paths = files.flatMap(({ module }) => [...module.paths].filter((path) => path.startsWith('google.')));
  return paths.flatMap((path) => [2, 3].flatMap((parts) => packageOfModule(path.split('.', parts).join('.')) ?? []));
}
