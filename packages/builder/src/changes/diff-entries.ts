import type { NormalisedEntry } from '../unpack/normalise.ts';

export interface ChangedFile {
  path: string;
  change: 'added' | 'removed' | 'changed';
  /** Null if it was removed. */
  bytes: number | null;
  /** Null if it was added. */
  bytes_before: number | null;
}

/** The differences between two archives; the list is cut at `maxListed`. */
export interface ChangedFiles {
  added: number;
  removed: number;
  changed: number;
  unchanged: number;
  list: ChangedFile[];
}

export const maxListed = 1_000;

/** How the files of an archive differ from those of an earlier one, by path. Contents are compared by their size and checksum (CRC-32). */
export function diffEntries(before: NormalisedEntry[], after: NormalisedEntry[]): ChangedFiles {
  const earlier = new Map(before.map((entry) => [entry.path, entry]));
  const later = new Set(after.map(({ path }) => path));
  const all: ChangedFile[] = before
    .filter(({ path }) => !later.has(path))
    .map(({ path, size }) => ({ path, change: 'removed', bytes: null, bytes_before: size }));
  for (const { path, size, crc, executable, link } of after) {
    const old = earlier.get(path);
    if (old === undefined) all.push({ path, change: 'added', bytes: size, bytes_before: null });
    else if (old.size !== size || old.crc !== crc || old.executable !== executable || old.link !== link)
      all.push({ path, change: 'changed', bytes: size, bytes_before: old.size });
  }
  const count = (change: ChangedFile['change']) => all.filter((file) => file.change === change).length;
  const [added, removed, changed] = [count('added'), count('removed'), count('changed')];
  const list = all.toSorted((a, b) => (a.path < b.path ? -1 : 1)).slice(0, maxListed);
  return { added, removed, changed, unchanged: after.length - added - changed, list };
}
