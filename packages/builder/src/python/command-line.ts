import type { EntryFile } from './entry.ts';
import { importedBy } from './imported.ts';

/**
 * The files that read command-line arguments when they are imported, directly or through another file. A server's own options would make
 * them exit.
 */
export function commandLineReaders(files: EntryFile[]): Set<string> {
  const importers = importedBy(files);
  const readers = files.filter(({ module }) => module.readsArguments !== undefined);
  const found = new Set(readers.filter(({ module }) => module.readsArguments === 'at import').map(({ path }) => path));
  const next = readers.map(({ path }) => path);
  const seen = new Set(next);
  for (const path of next)
    for (const importer of importers.get(path) ?? []) {
      found.add(importer);
      if (seen.has(importer)) continue;
      seen.add(importer);
      next.push(importer); // iterating an array also visits elements added during the loop
    }
  return found;
}
