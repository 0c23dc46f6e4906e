import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { removeTree, statBelow } from '@paddock/safe-files';
import { BuildError } from '../build-error.ts';
import type { Lease } from './leases.ts';
import { lockOr } from './lock-folder.ts';

/** A layer's key. Keys are equal exactly when the installed packages would be equal. */
export function layerKey(parts: Record<string, unknown>): string {
  return createHash('sha256')
    .update(JSON.stringify({ format: 1, ...parts }))
    .digest('hex')
    .slice(0, 40);
}

export interface Layer {
  key: string;
  /** The folder to mount. */
  path: string;
  reused: boolean;
  /** Warnings from its creation, shown to everyone who uses it. */
  warnings: string[];
}

export interface LayerRequest {
  key: string;
  /** Leases the layer, before the layer is searched, so that it is not removed. */
  hold?: Lease['hold'];
  /** Fills the folder of a layer that does not exist yet. */
  fill: (content: string, notes: LayerNotes) => Promise<void>;
}

export interface LayerNotes {
  warn: (text: string) => void;
  /** The content is not all that the key stands for, so no other build may get it. */
  markIncomplete: () => void;
}

/**
 * Returns the layer of that key and fills it if it does not exist yet. A complete layer appears by one rename, so a crash leaves no partial
 * layer. Builders of the same key wait for the first builder. An incomplete layer gets a key of its own, so the next build tries again.
 */
export async function acquireLayer(dataDir: string, { key, hold, fill }: LayerRequest, signal: AbortSignal): Promise<Layer> {
  await hold?.(`layers/${key}`);
  const layers = join(dataDir, 'layers');
  await mkdir(layers, { recursive: true, mode: 0o755 });
  const home = join(layers, key);
  const layer = { key, path: join(home, 'content') };
  const existing = async () => ({ ...layer, reused: true, warnings: await readWarnings(home) });
  if (await touch(home)) return existing();
  const lock = await lockOr(`${home}.lock`, () => touch(home), signal);
  if (lock === 'done') return existing();
  const draft = `${home}.draft-${randomUUID()}`;
  const warnings: string[] = [];
  let made = layer;
  try {
    await removingAfter(draft, async () => {
      await mkdir(join(draft, 'content'), { recursive: true, mode: 0o755 });
      const markIncomplete = () => {
        const own = randomBytes(20).toString('hex');
        made = { key: own, path: join(layers, own, 'content') };
      };
      await fill(join(draft, 'content'), { warn: (text) => warnings.push(text), markIncomplete });
      mustBeFolder(draft, 'content');
      if (made !== layer) await hold?.(`layers/${made.key}`);
      await writeFile(join(draft, 'layer.json'), JSON.stringify({ key: made.key, created_at: new Date().toISOString(), warnings }));
      await publish(draft, join(layers, made.key));
    });
    return { ...made, reused: false, warnings };
  } finally {
    await lock();
  }
}

/** Layers of earlier versions have no warnings. */
async function readWarnings(home: string): Promise<string[]> {
  const { warnings } = JSON.parse(await readFile(join(home, 'layer.json'), 'utf8')) as { warnings?: string[] };
  return warnings ?? [];
}

/** A failure of the work is thrown before a failure of the removal. A draft that remains is removed when layers are collected. */
async function removingAfter(draft: string, work: () => Promise<void>): Promise<void> {
  const [worked] = await Promise.allSettled([work()]);
  const [removed] = await Promise.allSettled([removeTree(draft)]);
  for (const end of [worked, removed]) if (end.status === 'rejected') throw end.reason;
}

/** An install script may have replaced the folder by a link. Mounting the link would show a folder of the host to the agent. */
function mustBeFolder(draft: string, content: string): void {
  if (statBelow(draft, content)?.kind === 'folder') return;
  throw new BuildError('install', 'install_failed', {
    message: 'An install script replaced the folder of the dependencies by something else.',
    hint: 'Look for the package whose install script does that, and leave it out.',
  });
}

/** Renames a complete folder to its final place. If another builder was first, its folder is kept. */
export async function publish(draft: string, home: string): Promise<void> {
  try {
    await rename(draft, home);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** Marks a folder as used now; false if it does not exist. */
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

export interface RetentionInput {
  /** Keys that a deployment names. */
  inUse: Iterable<string>;
  /** Folders that were used after this time are kept. */
  olderThan: Date;
}

/** Removes old layers that no deployment uses, and drafts and locks left by a crash. Returns the removed keys. */
export function collectLayers(dataDir: string, kept: RetentionInput, signal: AbortSignal): Promise<string[]> {
  return collect(join(dataDir, 'layers'), kept, signal);
}

/** Does the same for artifacts. */
export function collectArtifacts(dataDir: string, kept: RetentionInput, signal: AbortSignal): Promise<string[]> {
  return collect(join(dataDir, 'artifacts'), kept, signal);
}

/** Folders left by a builder that died. They may be large. No build takes as long as `leftoverMs`. */
const LEFTOVER = /\.(draft|gone)-/;
const leftoverMs = 3_600_000;

// Another sweep may have removed the folder.
function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
}

/** A folder that cannot be removed is reported at the end, after all others were processed. */
async function collect(folder: string, kept: RetentionInput, signal: AbortSignal): Promise<string[]> {
  const inUse = new Set(kept.inUse);
  const removed: string[] = [];
  const failures: unknown[] = [];
  for (const name of existsSync(folder) ? await readdir(folder) : []) {
    if (inUse.has(name)) continue;
    signal.throwIfAborted();
    try {
      if ((await removeOld(join(folder, name), kept.olderThan, signal)) && /^[0-9a-f]+$/.test(name)) removed.push(name);
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
  const usedBefore = LEFTOVER.test(name) ? Math.max(olderThan.getTime(), Date.now() - leftoverMs) : olderThan.getTime();
  if (last === undefined || last >= usedBefore) return false;
  // The folder is renamed first, so that a builder finds either all of it or nothing.
  const gone = name.includes('.gone-') ? path : `${path}.gone-${randomUUID()}`;
  if (gone !== path) await rename(path, gone);
  await removeTree(gone, signal);
  return true;
}
