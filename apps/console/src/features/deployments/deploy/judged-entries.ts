import { entryPaths, isSkippedLink, resolveLink } from '@paddock/contract/archive-paths';
import { maxTargetBytes } from './link-targets.ts';
import { commonFolder } from './stack-hint.ts';
import type { ZipEntry } from './zip-directory.ts';

/** An archive entry with its normalised path. */
export interface JudgedEntry extends ZipEntry {
  /** A file that archivers leave behind, or a link of installed packages: the server drops it. */
  isDropped: boolean;
  /** A link that points outside the archive, or whose target is too long to be read. */
  leadsOut: boolean;
}

/** The entries as the server interprets them. `targets` has the target of each link. */
export function judgedEntries(read: readonly ZipEntry[], targets: ReadonlyMap<ZipEntry, string>): JudgedEntry[] {
  const paths = entryPaths(read.map(({ name }) => name));
  const isSkipped = isSkippedLink(paths);
  const entries = read.flatMap((entry, n) => {
    const name = paths[n] ?? '';
    // Some archivers list the archive's own folder, `./`.
    if (name === '' && entry.name !== '') return [];
    const isDropped = isClutter(name) || (entry.isLink && isSkipped(name));
    return [{ ...entry, name, isFolder: name.endsWith('/'), isDropped, leadsOut: false, target: targets.get(entry) }];
  });
  const files = entries.filter(({ isDropped, isFolder }) => !isDropped && !isFolder);
  const top = commonFolder(files.map(({ name }) => name)).length;
  const links = new Map(files.flatMap(({ name, target }) => (target === undefined ? [] : [[name.slice(top), target] as const])));
  for (const entry of files.filter(({ isLink }) => isLink)) {
    const path = entry.name.slice(top);
    entry.leadsOut = entry.unpacked > maxTargetBytes || (links.has(path) && resolveLink(path, links).kind === 'outside');
  }
  return entries;
}

export const isClutter = (name: string) => /(^|\/)(__MACOSX|\.git)(\/|$)|(^|\/)(\.DS_Store|Thumbs\.db)$/.test(name);
