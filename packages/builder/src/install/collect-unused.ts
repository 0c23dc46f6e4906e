import { collectCaches } from './cache.ts';
import { collectArtifacts, collectLayers } from './layers.ts';

export interface Unused {
  /** Keys that a deployment names. */
  inUse: { artifacts: string[]; layers: string[] };
  /** What was used since then stays. */
  olderThan: { artifacts: Date; layers: Date; caches: Date };
  /** Of one team's package caches together. */
  maxCacheMb: number;
}

/** Removes artifacts, package caches and layers that nobody needs. What fails with one kind is told when the others had their turn. */
export async function collectUnused(dataDir: string, { inUse, olderThan, maxCacheMb }: Unused, signal: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  for (const collect of [
    () => collectArtifacts(dataDir, inUse.artifacts, olderThan.artifacts, signal),
    () => collectCaches(dataDir, olderThan.caches, maxCacheMb, signal),
    () => collectLayers(dataDir, inUse.layers, olderThan.layers, signal),
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
