import { collectCaches } from './cache.ts';
import { collectArtifacts, collectLayers } from './layers.ts';

export interface Unused {
  /** Keys that a deployment names. */
  inUse: { artifacts: string[]; layers: string[] };
  /** Anything used after these times is kept. */
  olderThan: { artifacts: Date; layers: Date; caches: Date };
  /** Maximum size of one package cache. */
  maxCacheMb: number;
}

/**
 * Removes artifacts, package caches and layers that nobody needs. A failure with one kind is thrown after the other kinds were collected.
 */
export async function collectGarbage(dataDir: string, { inUse, olderThan, maxCacheMb }: Unused, signal: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  for (const collect of [
    () => collectArtifacts(dataDir, { inUse: inUse.artifacts, olderThan: olderThan.artifacts }, signal),
    () => collectCaches(dataDir, { olderThan: olderThan.caches, maxMb: maxCacheMb }, signal),
    () => collectLayers(dataDir, { inUse: inUse.layers, olderThan: olderThan.layers }, signal),
  ]) {
    signal.throwIfAborted();
    try {
      await collect();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, failures.map((error) => (error as Error).message).join(' '));
}
