import type { Activity, RuntimeDriver } from '@paddock/runtime';

/** An agent that did next to nothing for so long waits for something; one that imports computes, reads or loads. */
const idleMs = 3_000;
const sampleMs = 500;
/** Per second. A worker's timers, heartbeats and log lines stay far below; an import lies far above. */
const max = { cpuMs: 50, bytes: 64 * 1024 };

/**
 * Watches whether an instance is at rest: no processor time, no reading, nothing received, no process started, nothing that waits for a processor
 * or a disk. Silence alone tells nothing, since an agent is silent while it imports. Answers true once the rest has lasted.
 *
 * An agent that waits for the network is judged by what it waits for. Looking a name up, opening a connection and loading a model are parts of a
 * start: an agent that cannot reach its service mostly ends there. An open connection without traffic is what a worker waits at for its messages.
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

/** Figures also fall, when processes end: that is work as well. */
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
