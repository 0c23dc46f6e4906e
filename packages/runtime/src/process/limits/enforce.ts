import type { Host } from '../host/host.ts';
import { tryLock } from '../host/lock.ts';
import { detectPhase, listIds, readJson, type SandboxRecord, sandboxFolder } from '../records/records.ts';
import { diskMeter } from './disk-meter.ts';
import { type Watch, watchLimits } from './watch.ts';

/** Maximum time until a new instance is noticed. */
const PERIOD_MS = 200;
/** Reading the meter costs microseconds, and a fast writer fills a gigabyte in a second. */
const DISK_PERIOD_MS = 100;

/**
 * Watches the limits of all running instances of the installation. If several processes run a driver on the same folder, one of them
 * watches. When it exits, another takes over within a second.
 */
export function enforceLimits(host: Host, parent: string): { stop(): Promise<void> } {
  const watches = new Map<string, Watch>();
  let release: (() => Promise<void>) | undefined;
  let stopped = false;
  const meter = diskMeter(host.dataDir);
  let nextWatch = 0;
  let nextTry = 0;
  let ticking = tick();
  let timer: NodeJS.Timeout | undefined;

  async function tick(): Promise<void> {
    try {
      if (!release && performance.now() >= nextTry) {
        nextTry = performance.now() + PERIOD_MS;
        release = await tryLock(`enforce ${host.tag}`);
      }
      if (release && !stopped) {
        const lost = await meter();
        for (const watch of watches.values()) watch.diskLost(lost);
        if (performance.now() >= nextWatch) watchRunning();
      }
    } catch (error) {
      host.log.warn({ err: error }, 'The limits of the instances could not be checked; trying again.');
    }
    if (stopped) return;
    timer = setTimeout(() => {
      ticking = tick();
    }, DISK_PERIOD_MS).unref();
  }

  function watchRunning(): void {
    nextWatch = performance.now() + PERIOD_MS;
    const present = new Set(listIds(parent));
    for (const [id, watch] of watches) {
      if (present.has(id)) continue;
      watch.stop();
      watches.delete(id);
    }
    for (const id of present) if (!watches.has(id)) watchInstance(id);
  }

  function watchInstance(id: string): void {
    try {
      const folder = sandboxFolder(parent, id);
      const record = readJson<SandboxRecord>(folder.record, host.troubles);
      if (record && detectPhase(folder, record) === 'running') watches.set(id, watchLimits(folder, record, host.log));
      host.troubles.over(`watch ${id}`);
    } catch (error) {
      host.troubles.tell(`watch ${id}`, { err: error, instance: id }, 'The limits of an instance cannot be watched yet; trying again.');
    }
  }

  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await ticking;
      for (const watch of watches.values()) watch.stop();
      await release?.();
    },
  };
}
