import { posix } from 'node:path';
import type { EntryFile } from './entry.ts';

/** The files that other files import, or start by name as an agent's tools. */
export function usedByOthers(files: EntryFile[]): Set<string> {
  const known = new Set(files.map((file) => file.path));
  const used = new Set<string>();
  for (const { path, module } of files) {
    const folder = posix.dirname(path);
    const places = [folder, '.', 'src'];
    for (const name of module.paths)
      for (const target of importTargets(name, folder, places)) if (known.has(target) && target !== path) used.add(target);
    for (const word of module.words)
      for (const place of places) {
        const target = posix.join(place, word);
        if (known.has(target) && target !== path) used.add(target);
      }
  }
  return used;
}

/** The files that import a file, by its path. */
export function importedBy(files: EntryFile[]): Map<string, string[]> {
  const importers = new Map(files.map(({ path }): [string, string[]] => [path, []]));
  for (const { path, module } of files) {
    const folder = posix.dirname(path);
    const found = new Set([...module.paths].flatMap((name) => importTargets(name, folder, [folder, '.', 'src'])));
    for (const target of found) if (target !== path) importers.get(target)?.push(path);
  }
  return importers;
}

/** Paths that an import may refer to. A relative import is searched from `folder`, any other one from the `places`. */
export function importTargets(name: string, folder: string, places: string[]): string[] {
  let dots = 0;
  while (name[dots] === '.') dots++;
  const path = name.slice(dots).replaceAll('.', '/');
  const from = dots === 0 ? places : [posix.join(folder, '../'.repeat(Math.min(dots, 20) - 1))];
  return from.flatMap((place) => [`${posix.join(place, path)}.py`, posix.join(place, path, '__init__.py')]);
}
