import { type Artifact, collectUnused } from '@paddock/builder';

const hour = 3_600_000;
/** Size of one team's package caches together. */
const maxCacheMb = 4096;
/** Time since the last use, after which things that no deployment needs go: artifacts after any build has ended, layers and caches once they hardly save time. */
const unusedMs = { artifacts: hour, layers: 24 * hour, caches: 7 * 24 * hour };

/** Removes builds, layers and caches that no deployment needs. */
export const sweepArtifacts =
  (dataDir: string, artifactsInUse: () => PromiseLike<{ artifact: Artifact }[]>) =>
  async (signal: AbortSignal): Promise<void> => {
    const used = (await artifactsInUse()).map((row) => row.artifact);
    const before = (ms: number) => new Date(Date.now() - ms);
    const inUse = { artifacts: used.map((artifact) => artifact.key), layers: used.flatMap((artifact) => artifact.layer_keys) };
    const olderThan = { artifacts: before(unusedMs.artifacts), layers: before(unusedMs.layers), caches: before(unusedMs.caches) };
    await collectUnused(dataDir, { inUse, olderThan, maxCacheMb }, signal);
  };
