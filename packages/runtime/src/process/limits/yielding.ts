import { type Cgroup, cgroupCpuMs, setYielding } from './cgroup.ts';

/** Of a core, or of the part of one that it may have. Of several that burn, none gets much more than this on a small machine. */
const BURNS_FROM = 0.25;
const RESTS_BELOW = 0.1;
const BURNS_AFTER_MS = 3000;
/** Longer, since whoever yields on a busy machine gets little and only seems to rest; it has its turn then. */
const RESTS_AFTER_MS = 10_000;

/**
 * Whoever has burned its processor for seconds yields to all who want it for a moment: visitors of other agents would wait a tick of the kernel's
 * clock at each step otherwise. It keeps whatever nobody else wants. To be called about once a second; does nothing without control groups.
 */
export function yieldsWhenBurning(cgroup: Cgroup | undefined, what: 'instance' | 'build', cpus: number): () => void {
  let looks: { at: number; cpu_ms: number }[] = [];
  let yields = false;
  /** The share of the last `ms`; undefined when nobody has looked for as long. */
  function share(ms: number): number | undefined {
    const last = looks.at(-1);
    const first = last && looks.findLast(({ at }) => last.at - at >= ms);
    return first && (last.cpu_ms - first.cpu_ms) / (last.at - first.at) / Math.min(1, cpus);
  }
  return () => {
    const cpu_ms = cgroup && cgroupCpuMs(cgroup);
    if (!cgroup || cpu_ms === undefined) return;
    const now = performance.now();
    looks = [...looks.filter(({ at }) => now - at < 2 * RESTS_AFTER_MS), { at: now, cpu_ms }];
    const used = share(yields ? RESTS_AFTER_MS : BURNS_AFTER_MS);
    if (used === undefined || (yields ? used >= RESTS_BELOW : used < BURNS_FROM)) return;
    yields = !yields;
    looks = looks.slice(-1);
    setYielding(cgroup, what, yields);
  };
}
