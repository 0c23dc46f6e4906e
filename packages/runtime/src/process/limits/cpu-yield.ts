import { type CgroupKind, cgroupCpuMs, setYielding } from './cgroup.ts';
import type { Cgroup } from './cgroup-files.ts';

/** Share of the cores that the group may use. On a small machine with several busy groups none gets much more. */
const BUSY_SHARE = 0.25;
const RESTING_SHARE = 0.1;
const BUSY_AFTER_MS = 3000;
/**
 * Longer than `BUSY_AFTER_MS`: on a busy machine a group that yields gets little time and only seems to rest. After this time it may
 * compete again.
 */
const RESTING_AFTER_MS = 10_000;
const LONG_BUILD_MS = 20_000;

interface Share {
  /** Number of cores that the group may use. */
  cpus: number;
  longBuildMs?: number;
}

/**
 * Makes a group that has kept its processor busy for seconds yield to all others. Otherwise the visitors of other agents would wait a tick
 * of the kernel's clock at each step. The group still gets the time that nobody else wants. A build that lasts longer than `longBuildMs`
 * gets a larger weight. Call the returned function about once a second; it does nothing without control groups.
 */
export function createCpuYield(
  cgroup: Cgroup | undefined,
  kind: 'instance' | 'build',
  { cpus, longBuildMs = LONG_BUILD_MS }: Share,
): () => void {
  const began = performance.now();
  let weight: CgroupKind = kind;
  let samples: { at: number; cpuMs: number }[] = [];
  let yields = false;

  /** The share during the last `ms`; undefined while there are no samples from so long ago. */
  function share(ms: number): number | undefined {
    const last = samples.at(-1);
    const first = last && samples.findLast(({ at }) => last.at - at >= ms);
    return first && (last.cpuMs - first.cpuMs) / (last.at - first.at) / Math.min(1, cpus);
  }

  return () => {
    const cpuMs = cgroup && cgroupCpuMs(cgroup);
    if (!cgroup || cpuMs === undefined) return;
    const now = performance.now();
    if (weight === 'build' && now - began >= longBuildMs) {
      weight = 'long build';
      if (!yields) setYielding(cgroup, weight, false);
    }
    samples = [...samples.filter(({ at }) => now - at < 2 * RESTING_AFTER_MS), { at: now, cpuMs }];
    const used = share(yields ? RESTING_AFTER_MS : BUSY_AFTER_MS);
    if (used === undefined) return;
    const changes = yields ? used < RESTING_SHARE : used >= BUSY_SHARE;
    if (!changes) return;
    yields = !yields;
    samples = samples.slice(-1);
    setYielding(cgroup, weight, yields);
  };
}
