import { statSync } from 'node:fs';
import { killSandbox, markKilled } from './ending.ts';
import type { Log } from './log.ts';
import { relays } from './members.ts';
import { signal } from './processes.ts';
import { type Folder, phaseOf, type SandboxRecord } from './records.ts';
import { diskUsage, holdsMoreThan } from './usage.ts';

const MIB = 1024 * 1024;
const FIRST_LOOK_MS = 20;
const LOOK_MS = 1000;
/** Without control groups only looking often keeps a greedy agent from taking the machine's memory. */
const MEMORY_LOOK_MS = 100;
/** Output that grows this fast between two looks is looked at more often. */
const FLOOD_BYTES = 16 * MIB;
const FLOOD_LOOK_MS = 100;
const DISK_QUICK_MS = 2000;
const DISK_SLOW_MS = 60_000;
/** Output that no reader has released yet may take this much disk; then the instance waits, as it would at a full pipe. */
const OUTPUT_LIMIT = 256 * MIB;

/**
 * Holds one sandbox to the limits that the kernel does not enforce for us: disk space always, unread output always,
 * memory where there are no control groups. Counting files is dear, so it happens seldom while nothing grows;
 * a change of `alarm` (the disk as a whole is filling) makes it happen at once.
 */
export function watchLimits(folder: Folder, record: SandboxRecord, log: Log, alarm: () => number = () => 0): { stop(): void } {
  const period = record.cgroup ? LOOK_MS : MEMORY_LOOK_MS;
  let stopped = false;
  let lastDisk = 0;
  let lastAlarm = alarm();
  let diskPause = DISK_QUICK_MS;
  let nextDiskLook = 0;
  let held: boolean | undefined;
  let lastKept = 0;
  let before: number | undefined;
  let floods = false;
  let timer = setTimeout(() => void look(), FIRST_LOOK_MS).unref();

  async function look(): Promise<void> {
    try {
      if (stopped || phaseOf(folder, record) === 'ended') return;
      holdOutput();
      if (!record.cgroup && holdsMoreThan(folder, record, record.limits.memory_mb * MIB)) end('memory');
      else if (performance.now() >= nextDiskLook || alarm() !== lastAlarm) await lookAtDisk();
    } catch (error) {
      if (stopped || statSync(folder.path, { throwIfNoEntry: false }) === undefined) return; // removed meanwhile
      log.warn({ err: error, instance: record.id }, 'The limits of an instance could not be checked; trying again.');
    }
    if (!stopped) timer = setTimeout(() => void look(), floods ? FLOOD_LOOK_MS : period).unref();
  }

  async function lookAtDisk(): Promise<void> {
    const begun = performance.now();
    lastAlarm = alarm();
    const used = await diskUsage(folder, record);
    before ??= record.writable ? used : 0;
    if (used - before > record.limits.disk_mb * MIB) return end('disk');
    diskPause = used > lastDisk ? DISK_QUICK_MS : Math.min(diskPause * 2, DISK_SLOW_MS);
    lastDisk = used;
    // Many files take long to count: never spend more than a twentieth of the time on it.
    nextDiskLook = performance.now() + Math.max(diskPause, (performance.now() - begun) * 20);
  }

  function end(reason: 'memory' | 'disk'): void {
    if (stopped) return;
    markKilled(folder, reason);
    killSandbox(folder, record);
  }

  function holdOutput(): void {
    const kept = [folder.stdout, folder.stderr].reduce(
      (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.blocks ?? 0) * 512,
      0,
    );
    floods = kept - lastKept > FLOOD_BYTES;
    lastKept = kept;
    const full = kept > OUTPUT_LIMIT;
    if (full === held) return;
    held = full;
    for (const pid of relays(folder)) signal(pid, full ? 'SIGSTOP' : 'SIGCONT');
  }

  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
