import { type Artifact, collectGarbage, keepCacheLimit } from '@paddock/builder';
import { dayMs, hourMs } from '@paddock/contract/time';

/** Maximum total size of a team's package caches. */
const maxCacheMb = 4096;
/** Unneeded files are removed this long after their last use: artifacts after any build has ended, layers and caches once they hardly save time. */
const unusedMs = { artifacts: hourMs, layers: dayMs, caches: 7 * dayMs };

/** Removes builds, layers and caches that no deployment needs. */
export const sweepArtifacts =
  (dataDir: string, artifactsInUse: () => PromiseLike<{ artifact: Artifact }[]>) =>
  async (signal: AbortSignal): Promise<void> => {
    const used = (await artifactsInUse()).map((row) => row.artifact);
    const before = (ms: number) => new Date(Date.now() - ms);
    const inUse = { artifacts: used.map((artifact) => artifact.key), layers: used.flatMap((artifact) => artifact.layer_keys) };
    const olderThan = { artifacts: before(unusedMs.artifacts), layers: before(unusedMs.layers), caches: before(unusedMs.caches) };
    await collectGarbage(dataDir, { inUse, olderThan, maxCacheMb }, signal);
  };

interface Limited {
  dataDir: string;
  maxMb: number;
  artifactsNeeded: () => PromiseLike<{ artifact: Artifact }[]>;
  onFailure: (error: unknown) => void;
}

/**
 * Keeps downloads and builds from which no agent runs within their limit. One sweep runs at a time; requests during a sweep share one more after
 * it. Never throws.
 */
export function cacheLimit({ dataDir, maxMb, artifactsNeeded, onFailure }: Limited) {
  const closing = new AbortController();
  let under: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const needed = async () => {
    const all = (await artifactsNeeded()).map((row) => row.artifact);
    return { artifacts: all.map(({ key }) => key), layers: all.flatMap(({ layer_keys }) => layer_keys) };
  };
  const look = async () => {
    try {
      await keepCacheLimit(dataDir, { maxMb, needed }, closing.signal);
    } catch (error) {
      if (!closing.signal.aborted) onFailure(error);
    }
  };
  const keep = (): Promise<void> => {
    if (under === undefined) {
      under = look().finally(() => (under = undefined));
      return under;
    }
    next ??= under.then(() => {
      next = undefined;
      return keep();
    });
    return next;
  };
  return {
    keep,
    async over(): Promise<void> {
      closing.abort();
      await Promise.all([under, next]);
    },
  };
}
