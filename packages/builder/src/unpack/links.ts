import { resolveLink } from '@paddock/contract/archive-paths';
import { quoteName } from '../build-error.ts';
import { type ArchiveLimits, refuse, specialEntry } from './entry-rules.ts';
import type { NormalisedEntry } from './normalise.ts';

/** A file that is written a second time in place of a link to the file or to its folder. */
export interface Copy {
  entry: NormalisedEntry;
  path: string;
}

const maxLinks = 1000;
/** Bound of the linked folders. Each is counted once for each path that reaches it. */
const maxExpanded = 5000;
const maxNamed = 5;

/**
 * The replacements of an archive's symbolic links, which are never created: a link to a file or folder of the archive becomes a copy. A
 * link with a missing target or a cycle is left out. An absolute link, or one that leads out of the archive, is refused. `targets`: the
 * text of each link by its path.
 */
export function planCopies(
  targets: ReadonlyMap<string, string>,
  files: NormalisedEntry[],
  limits: ArchiveLimits,
): { copies: Copy[]; warnings: string[] } {
  if (targets.size > maxLinks)
    throw refuse('archive_limit', `The archive holds more than ${maxLinks} symbolic links.`, 'Leave installed packages out of it.');
  const archive: Archive = {
    byPath: new Map(files.map((entry) => [entry.path, entry])),
    files,
    places: new Map([...targets.keys()].map((link) => [link, resolvePlace(link, targets)])),
    limits,
    copied: 0,
    expanded: 0,
  };
  const copies: Copy[] = [];
  const left: string[] = [];
  for (const [link, place] of archive.places) {
    const own = copiesFor(link, place, { archive, inside: [] });
    if (own.length === 0) left.push(link);
    copies.push(...own);
  }
  return { copies, warnings: left.length === 0 ? [] : [leftOut(left)] };
}

interface Archive {
  byPath: Map<string, NormalisedEntry>;
  files: NormalisedEntry[];
  /** The target of each link; undefined if it does not exist. */
  places: Map<string, string | undefined>;
  limits: ArchiveLimits;
  copied: number;
  expanded: number;
}

function leftOut(left: string[]): string {
  const named = left.slice(0, maxNamed).map(quoteName).join(', ');
  const more = left.length > maxNamed ? ` and ${left.length - maxNamed} more` : '';
  return `Symbolic links that lead to nothing within the archive are left out: ${named}${more}.`;
}

function resolvePlace(link: string, targets: ReadonlyMap<string, string>): string | undefined {
  const end = resolveLink(link, targets);
  if (end.kind === 'outside') throw specialEntry(link, 'a symbolic link that points outside the archive');
  return end.kind === 'place' ? end.path : undefined;
}

/** The copies in place of a link to `place`. `inside`: the linked folders that are currently being copied around it. */
function copiesFor(path: string, place: string | undefined, { archive, inside }: { archive: Archive; inside: string[] }): Copy[] {
  const { byPath, files, places, limits } = archive;
  if (place === undefined) return [];
  const file = byPath.get(place);
  if (file !== undefined) return count([{ entry: file, path }], archive);
  // A folder that contains the link, or is being copied already, would be copied into itself.
  if (path.startsWith(`${place}/`) || inside.includes(place)) return [];
  archive.expanded += 1;
  if (archive.expanded > maxExpanded)
    throw refuse(
      'archive_limit',
      `The archive's symbolic links lead to more than ${maxExpanded} folders in one another.`,
      'Replace some of them by what they lead to.',
    );
  const below = `${place}/`;
  const at = (inner: string) => `${path}/${inner.slice(below.length)}`;
  const plain = files.filter((entry) => entry.path.startsWith(below)).map((entry) => ({ entry, path: at(entry.path) }));
  const copies = count(plain, archive);
  const around = { archive, inside: [...inside, place] };
  // An archive cannot hold a deeper path, so everything below it would be left out anyway.
  for (const [link, end] of places)
    if (link.startsWith(below) && !link.startsWith(`${end}/`) && at(link).split('/').length <= limits.depth)
      copies.push(...copiesFor(at(link), end, around));
  return copies;
}

/** Leaves out paths that are longer or deeper than an archive's own names may be. Fails if links stand for too many files. */
function count(copies: Copy[], archive: Archive): Copy[] {
  const { files, limits } = archive;
  const fitting = copies.filter(({ path }) => path.split('/').length <= limits.depth && Buffer.byteLength(path) <= limits.nameBytes);
  archive.copied += fitting.length;
  if (files.length + archive.copied > limits.entries)
    throw refuse('archive_limit', `With what its symbolic links lead to, the archive holds more than ${limits.entries} files.`);
  return fitting;
}
