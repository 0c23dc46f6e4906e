import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { lookBelow, removeTree } from '@paddock/safe-files';
import { BuildError } from '../build-error.ts';
import { lockOr } from './lock-folder.ts';

/** A layer's key: equal exactly when what would be installed is. */
export function layerKey(parts: Record<string, unknown>): string {
  return createHash('sha256')
    .update(JSON.stringify({ format: 1, ...parts }))
    .digest('hex')
    .slice(0, 40);
}

export interface Layer {
  key: string;
  /** The folder to be mounted. */
  path: string;
  reused: boolean;
}

/**
 * The layer of that key, filled by `fill` if it isn't there yet. It appears by one rename when it is complete, so a crash
 * leaves no half layer; builders of the same key wait for the first one.
 */
export async function takeLayer(
  dataDir: string,
  key: string,
  fill: (content: string) => Promise<void>,
  signal: AbortSignal,
): Promise<Layer> {
  const layers = join(dataDir, 'layers');
  await mkdir(layers, { recursive: true, mode: 0o755 });
  const home = join(layers, key);
  const layer = { key, path: join(home, 'content') };
  if (await touch(home)) return { ...layer, reused: true };
  const lock = await lockOr(`${home}.lock`, () => touch(home), signal);
  if (lock === 'done') return { ...layer, reused: true };
  const draft = `${home}.draft-${randomUUID()}`;
  try {
    await removingAfter(draft, async () => {
      await mkdir(join(draft, 'content'), { recursive: true, mode: 0o755 });
      await fill(join(draft, 'content'));
      mustBeFolder(draft, 'content');
      await writeFile(join(draft, 'layer.json'), JSON.stringify({ key, created_at: new Date().toISOString() }));
      await publish(draft, home);
    });
    return { ...layer, reused: false };
  } finally {
    await lock();
  }
}

/** Why the work failed is what people need: a draft that stays besides is removed, or told, when layers are collected. */
async function removingAfter(draft: string, work: () => Promise<void>): Promise<void> {
  const [worked] = await Promise.allSettled([work()]);
  const [removed] = await Promise.allSettled([removeTree(draft)]);
  for (const end of [worked, removed]) if (end.status === 'rejected') throw end.reason;
}

/** Install scripts may have put a link in its place; mounted, it would show a folder of the host to the agent. */
function mustBeFolder(draft: string, content: string): void {
  if (lookBelow(draft, content)?.kind === 'folder') return;
  throw new BuildError('install', 'install_failed', {
    message: 'An install script replaced the folder of the dependencies by something else.',
    hint: 'Look for the package whose install script does that, and leave it out.',
  });
}

/** Renames a complete folder to its place; where another builder was first, its result counts. */
export async function publish(draft: string, home: string): Promise<void> {
  try {
    await rename(draft, home);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** Marks as used just now; false if it isn't there. */
export async function touch(home: string): Promise<boolean> {
  if (!existsSync(home)) return false;
  const now = new Date();
  try {
    await utimes(home, now, now);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/**
 * Removes layers that no deployment uses and that were last used before `olderThan`, with drafts and locks that a crash
 * left behind. Returns the keys removed.
 */
export function collectLayers(dataDir: string, inUse: Iterable<string>, olderThan: Date, signal: AbortSignal): Promise<string[]> {
  return collect(join(dataDir, 'layers'), new Set(inUse), olderThan, signal);
}

/** The same for artifacts. */
export function collectArtifacts(dataDir: string, inUse: Iterable<string>, olderThan: Date, signal: AbortSignal): Promise<string[]> {
  return collect(join(dataDir, 'artifacts'), new Set(inUse), olderThan, signal);
}

/** What a builder that died was working on, which may be large. No build takes this long. */
const LEFTOVER = /\.(draft|gone)-/;
const leftoverMs = 3_600_000;

// Another sweep may have been first; every other fault is one.
function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
}

/** What cannot be removed is told at the end: it keeps nothing else from going. */
async function collect(folder: string, inUse: Set<string>, olderThan: Date, signal: AbortSignal): Promise<string[]> {
  const removed: string[] = [];
  const failures: unknown[] = [];
  for (const name of existsSync(folder) ? await readdir(folder) : []) {
    if (inUse.has(name)) continue;
    signal.throwIfAborted();
    try {
      if ((await removeOld(join(folder, name), olderThan, signal)) && /^[0-9a-f]+$/.test(name)) removed.push(name);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} folders that nobody uses could not be removed.`);
  return removed;
}

async function removeOld(path: string, olderThan: Date, signal: AbortSignal): Promise<boolean> {
  const name = basename(path);
  const last = (await stat(path).catch(unlessMissing))?.mtimeMs;
  const limit = LEFTOVER.test(name) ? Math.max(olderThan.getTime(), Date.now() - leftoverMs) : olderThan.getTime();
  if (last === undefined || last >= limit) return false;
  // Away by one rename: a builder that looks at this moment finds either all of it or nothing.
  const gone = name.includes('.gone-') ? path : `${path}.gone-${randomUUID()}`;
  if (gone !== path) await rename(path, gone);
  await removeTree(gone, signal);
  return true;
}
