import { type Artifact, collectUnused } from '@paddock/builder';

const hour = 3_600_000;
/** Of one team's package caches together. */
const maxCacheMb = 4096;
/** Since their last use, for what no deployment needs: longer than any build takes, and layers and caches as long as they may save time. */
const unusedMs = { artifacts: hour, layers: 24 * hour, caches: 7 * 24 * hour };

/** Removes builds, layers and caches that no deployment needs. */
export const sweepArtifacts =
  (dataDir: string, artifactsInUse: () => PromiseLike<{ artifact: Artifact }[]>) =>
  async (signal: AbortSignal): Promise<void> => {
    const used = (await artifactsInUse()).map((row) => row.artifact);
    const before = (ms: number) => new Date(Date.now() - ms);
    const inUse = { artifacts: used.map((one) => one.key), layers: used.flatMap((one) => one.layer_keys) };
    const olderThan = { artifacts: before(unusedMs.artifacts), layers: before(unusedMs.layers), caches: before(unusedMs.caches) };
    await collectUnused(dataDir, { inUse, olderThan, maxCacheMb }, signal);
  };
