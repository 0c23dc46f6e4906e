import { statfs } from 'node:fs/promises';
import type { Host } from './host.ts';
import { tryLock } from './lock.ts';
import { listIds, phaseOf, readJson, type SandboxRecord, sandboxFolder } from './records.ts';
import { watchLimits } from './watch.ts';

/** New instances are noticed this soon. */
const PERIOD_MS = 500;
/** When the disk loses this much, every instance is counted anew. */
const ALARM_BYTES = 64 * 1024 * 1024;

/**
 * Watches the limits of all running instances of the installation. Of several processes that run a driver on the same folder
 * one does it; when that one ends, another takes over within a second.
 */
export function enforceLimits(host: Host, parent: string): { stop(): Promise<void> } {
  const watches = new Map<string, { stop(): void }>();
  let release: (() => Promise<void>) | undefined;
  let stopped = false;
  let alarms = 0;
  let free = 0;
  let ticking = tick();
  let timer: NodeJS.Timeout | undefined;

  async function tick(): Promise<void> {
    try {
      release ??= await tryLock(`enforce ${host.tag}`);
      if (release && !stopped) {
        await checkDisk();
        watchRunning();
      }
    } catch (error) {
      host.log.warn({ err: error }, 'The limits of the instances could not be checked; trying again.');
    }
    if (stopped) return;
    timer = setTimeout(() => {
      ticking = tick();
    }, PERIOD_MS).unref();
  }

  async function checkDisk(): Promise<void> {
    const { bavail, bsize } = await statfs(host.dataDir);
    const now = bavail * bsize;
    if (free - now > ALARM_BYTES) alarms++;
    if (free - now > ALARM_BYTES || now > free) free = now;
  }

  function watchRunning(): void {
    const present = new Set(listIds(parent));
    for (const [id, watch] of watches) {
      if (present.has(id)) continue;
      watch.stop();
      watches.delete(id);
    }
    for (const id of present) {
      if (watches.has(id)) continue;
      const folder = sandboxFolder(parent, id);
      const record = readJson<SandboxRecord>(folder.record);
      if (record && phaseOf(folder, record) === 'running')
        watches.set(
          id,
          watchLimits(folder, record, host.log, () => alarms),
        );
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
