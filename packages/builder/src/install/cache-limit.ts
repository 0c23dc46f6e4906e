import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTree } from '@paddock/safe-files';
import { hostCommand } from './host-command.ts';
import { heldByBuilds } from './leases.ts';
import { tryLock } from './lock-folder.ts';

export interface CacheLimit {
  maxMb: number;
  /** Keys of the artifacts and layers that agents run from or are about to start from. Called more than once. */
  needed: () => Promise<{ artifacts: string[]; layers: string[] }>;
}

interface Entry {
  /** `layers/KEY`, `artifacts/KEY` or `cache/TEAM/SLOT`. */
  name: string;
  mb: number;
  usedMs: number;
}

/**
 * Keeps downloads and builds that no agent needs within the limit by removing the least recently used first. Skips what is leased by builds
 * of any process, and what `needed` returns. Returns the removed names.
 */
export async function keepCacheLimit(dataDir: string, { maxMb, needed }: CacheLimit, signal: AbortSignal): Promise<string[]> {
  const taken = async () => {
    // A build releases its lease only after a deployment names its artifact, so leases are read before the deployments.
    const held = await heldByBuilds(dataDir);
    const { artifacts, layers } = await needed();
    for (const key of artifacts) held.add(`artifacts/${key}`);
    for (const key of layers) held.add(`layers/${key}`);
    return held;
  };
  const inUse = await taken();
  const entries = (await listed(dataDir, signal)).filter(({ name }) => !inUse.has(name)).sort((a, b) => a.usedMs - b.usedMs);
  let total = entries.reduce((sum, { mb }) => sum + mb, 0);
  const removed: string[] = [];
  const away: { name: string; gone: string }[] = [];
  for (const { name, mb } of entries) {
    if (total <= maxMb) break;
    signal.throwIfAborted();
    if (!name.startsWith('cache/')) {
      // Space freed by another cleaner at the same time counts as well. Otherwise both would remove more than necessary.
      if (await moveAway(dataDir, name, away)) removed.push(name);
      total -= mb;
    } else if (await removeCache(join(dataDir, name), signal)) {
      removed.push(name);
      total -= mb;
    }
  }
  if (away.length === 0) return removed;
  return await removeAway(dataDir, { away, removed, taken, signal });
}

interface Removing {
  away: { name: string; gone: string }[];
  removed: string[];
  taken: () => Promise<Set<string>>;
  signal: AbortSignal;
}

/**
 * Removes the moved folders, except those that came into use just before. A builder that starts now does not find them and builds again.
 */
async function removeAway(dataDir: string, { away, removed, taken, signal }: Removing): Promise<string[]> {
  // Nothing may be removed without an answer.
  const inUse = await taken().catch((error: unknown) => error);
  const back = new Set<string>();
  for (const { name, gone } of away) {
    const isNeeded = !(inUse instanceof Set) || inUse.has(name);
    if (isNeeded && !existsSync(join(dataDir, name))) {
      await rename(gone, join(dataDir, name));
      back.add(name);
    } else await removeTree(gone, signal);
  }
  if (!(inUse instanceof Set)) throw inUse;
  return removed.filter((name) => !back.has(name));
}

async function moveAway(dataDir: string, name: string, away: { name: string; gone: string }[]): Promise<boolean> {
  const gone = `${join(dataDir, name)}.gone-${randomUUID()}`;
  try {
    await rename(join(dataDir, name), gone);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return false;
  }
  away.push({ name, gone });
  return true;
}

async function removeCache(path: string, signal: AbortSignal): Promise<boolean> {
  const release = await tryLock(`${path}.lock`);
  if (release === null) return false;
  try {
    await removeTree(path, signal);
    return true;
  } finally {
    await release();
  }
}

async function listed(dataDir: string, signal: AbortSignal): Promise<Entry[]> {
  const names: string[] = [];
  for (const kind of ['layers', 'artifacts'])
    for (const key of await namesIn(join(dataDir, kind))) if (/^[0-9a-f]{40}$/.test(key)) names.push(`${kind}/${key}`);
  for (const team of await namesIn(join(dataDir, 'cache')))
    for (const slot of await namesIn(join(dataDir, 'cache', team))) if (/^\d+$/.test(slot)) names.push(`cache/${team}/${slot}`);
  const entries: Entry[] = [];
  for (const name of names) {
    signal.throwIfAborted();
    const path = join(dataDir, name);
    const usedMs = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    );
    if (usedMs !== undefined)
      entries.push({
        name,
        usedMs,
        mb: name.startsWith('cache/') ? await cacheSize(path, usedMs, signal) : await measureFolderMb(path, signal),
      });
  }
  return entries;
}

const namesIn = async (folder: string) => (existsSync(folder) ? await readdir(folder) : []);

/** The size of a finished folder never changes, so it is measured once. */
async function measureFolderMb(home: string, signal: AbortSignal): Promise<number> {
  const note = join(home, 'size_mb');
  const noted = Number(await readFile(note, 'utf8').catch(() => Number.NaN));
  if (Number.isFinite(noted)) return noted;
  const before = await stat(home).catch(() => undefined);
  const mb = await measured(home, signal);
  if (before === undefined) return mb;
  // Writing the note does not count as a use of the folder.
  await writeFile(note, String(mb))
    .then(() => utimes(home, before.mtime, before.mtime))
    .catch(() => undefined);
  return mb;
}

/** A cache is measured again after each build that used it. During a build the last size is used: the cache is not removed then anyway. */
async function cacheSize(slot: string, usedMs: number, signal: AbortSignal): Promise<number> {
  const note = `${slot}.size_mb`;
  const noted = Number(await readFile(note, 'utf8').catch(() => Number.NaN));
  const notedMs = await stat(note).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  const isTaken = existsSync(`${slot}.lock`);
  if (Number.isFinite(noted) && (isTaken || notedMs > usedMs)) return noted;
  const mb = await measured(slot, signal);
  if (!isTaken) await writeFile(note, String(mb)).catch(() => undefined);
  return mb;
}

async function measured(path: string, signal: AbortSignal): Promise<number> {
  const bytes = Number.parseInt(await hostCommand('du', ['-s', '--block-size=1', '--', path], { signal }).catch(() => '0'), 10);
  return bytes / 1024 ** 2;
}
