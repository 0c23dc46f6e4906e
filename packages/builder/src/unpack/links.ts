import { posix } from 'node:path';
import { quoteName } from '../build-error.ts';
import { type ArchiveLimits, refuse, specialEntry } from './entry-rules.ts';
import type { NormalisedEntry } from './normalise.ts';

/** A file that is written once more, where a link to it or to its folder lies. */
export interface Copy {
  entry: NormalisedEntry;
  path: string;
}

const maxLinks = 1000;
const maxHops = 10;
const maxNamed = 5;

/**
 * What stands for the symbolic links of an archive, which are never made: a link to a file or folder of the archive becomes a copy. One that
 * leads to nothing or around itself is left out; one that is absolute or leads out of the archive is refused. `targets`: the text of each link by
 * its path.
 */
export function copiesOf(
  targets: ReadonlyMap<string, string>,
  files: NormalisedEntry[],
  limits: ArchiveLimits,
): { copies: Copy[]; warnings: string[] } {
  if (targets.size > maxLinks)
    throw refuse('archive_limit', `The archive holds more than ${maxLinks} symbolic links.`, 'Leave installed packages out of it.');
  const byPath = new Map(files.map((entry) => [entry.path, entry]));
  const copies: Copy[] = [];
  const left: string[] = [];
  for (const link of targets.keys()) {
    const found = copiesFor(link, placeOf(link, targets), { byPath, files }).filter(({ path }) => fits(path, limits));
    if (found.length === 0) left.push(link);
    copies.push(...found);
    if (files.length + copies.length > limits.entries)
      throw refuse('archive_limit', `With what its symbolic links lead to, the archive holds more than ${limits.entries} files.`);
  }
  return { copies, warnings: left.length === 0 ? [] : [leftOut(left)] };
}

function leftOut(left: string[]): string {
  const named = left.slice(0, maxNamed).map(quoteName).join(', ');
  const more = left.length > maxNamed ? ` and ${left.length - maxNamed} more` : '';
  return `Symbolic links that lead to nothing within the archive are left out: ${named}${more}.`;
}

/** Where a link leads at last; undefined if it leads in a circle. */
function placeOf(link: string, targets: ReadonlyMap<string, string>): string | undefined {
  let at = link;
  for (let hop = 0; hop < maxHops; hop += 1) {
    const target = targets.get(at);
    if (target === undefined) return at;
    const to = posix.join(posix.dirname(at), target).replace(/\/$/, '');
    // A backslash or a control character is no part of a path that an archive may hold.
    if (target.startsWith('/') || to === '..' || to.startsWith('../') || /[\\\p{Cc}\ufffd]/u.test(target))
      throw specialEntry(at, 'a symbolic link that leads out of the archive');
    if (target === '' || to === '.') return undefined;
    at = to;
  }
  return undefined;
}

function copiesFor(
  link: string,
  place: string | undefined,
  { byPath, files }: { byPath: Map<string, NormalisedEntry>; files: NormalisedEntry[] },
): Copy[] {
  // A folder that holds the link would be copied into itself.
  if (place === undefined || link.startsWith(`${place}/`)) return [];
  const file = byPath.get(place);
  if (file !== undefined) return [{ entry: file, path: link }];
  const below = `${place}/`;
  return files.filter(({ path }) => path.startsWith(below)).map((entry) => ({ entry, path: `${link}/${entry.path.slice(below.length)}` }));
}

const fits = (path: string, limits: ArchiveLimits) => path.split('/').length <= limits.depth && Buffer.byteLength(path) <= limits.nameBytes;
