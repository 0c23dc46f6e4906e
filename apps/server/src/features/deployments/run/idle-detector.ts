import type { Activity, RuntimeDriver } from '@paddock/runtime';

/** An agent idle for this long waits for something; one that imports computes, reads or loads. */
const idleMs = 3_000;
const sampleMs = 500;
/** Limits per second. A worker's timers, heartbeats and log lines stay far below, an import far above. */
const max = { cpuMs: 50, bytes: 64 * 1024 };

/**
 * Detects whether an instance is idle: no processor time, no reads, nothing received, no new process, nothing waiting for a processor or a
 * disk. Silence alone proves nothing, since an agent is silent while it imports. Returns true once the instance has been idle long enough.
 *
 * For an agent that waits for the network, it matters what it waits for. Resolving a name, connecting and loading a model belong to a
 * start: an agent that cannot reach its service mostly exits there. A worker waits for messages on an open connection without traffic.
 */
export function createIdleDetector(driver: Pick<RuntimeDriver, 'activity'>, instance_id: string, cpus: number) {
  let last: { at: number; seen: Activity } | undefined;
  let restsSince: number | undefined;
  return async (): Promise<boolean> => {
    const at = performance.now();
    if (last && at - last.at < sampleMs) return isLong(at);
    const seen = await driver.activity(instance_id);
    if (!last || !isIdle(last.seen, seen, { seconds: (at - last.at) / 1000, share: Math.min(1, cpus) })) restsSince = at;
    last = { at, seen };
    return isLong(at);
  };

  function isLong(at: number) {
    return restsSince !== undefined && at - restsSince >= idleMs;
  }
}

/** Counters also fall when processes end: that counts as work. */
function isIdle(before: Activity, after: Activity, { seconds, share }: { seconds: number; share: number }): boolean {
  const moved = (what: 'cpu_ms' | 'read_bytes' | 'received_bytes') => Math.abs(after[what] - before[what]);
  return (
    !after.is_waiting &&
    !after.is_connecting &&
    after.last_start === before.last_start &&
    moved('cpu_ms') <= max.cpuMs * share * seconds &&
    moved('read_bytes') <= max.bytes * seconds &&
    moved('received_bytes') <= max.bytes * seconds
  );
}
