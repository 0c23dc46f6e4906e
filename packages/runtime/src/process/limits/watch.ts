import { statSync } from 'node:fs';
import { killSandbox, markKilled } from '../end/conclude-exit.ts';
import type { Log } from '../host/log.ts';
import { detectPhase, type Folder, type SandboxRecord } from '../records/records.ts';
import { createCpuYield } from './cpu-yield.ts';
import { diskUsage, exceedsMemory, folderUsage } from './usage.ts';

const MIB = 1024 * 1024;
const FIRST_CHECK_MS = 20;
/** Counting the files of an agent that is just starting would slow it down. If it fills the disk in the meantime, the meter shows it. */
const FIRST_AGENT_CHECK_MS = 1000;
const CHECK_MS = 1000;
/** Without control groups, only frequent checks keep a greedy agent from using up the machine's memory. */
const MEMORY_CHECK_MS = 100;
const MIN_DISK_PAUSE_MS = 2000;
/** Pause for a sandbox that hardly grows. If it suddenly fills the disk, the meter shows it. */
const DISK_REST_MS = 10_000;
const MAX_DISK_PAUSE_MS = 60_000;
/** Fraction of the limit. Faster growth between two counts shortens the pause before the next count. */
const GROWTH = 1 / 100;
/** Minimum pause between counts however fast the disk fills, since some counts take long. */
const HURRY_PAUSE_MS = 50;

export interface Watch {
  /**
   * Receives the bytes that the disk as a whole has lost so far (`diskMeter`). Once this sandbox could have taken that much and would
   * exceed its limit, its files are counted at once.
   */
  diskLost(bytes: number): void;
  stop(): void;
}

/**
 * Enforces the limits of one sandbox that the kernel does not: disk space always, memory if there are no control groups. Counting files is
 * expensive, so it is rare while nothing grows.
 */
export function watchLimits(folder: Folder, record: SandboxRecord, log: Log): Watch {
  const limit = record.limits.disk_mb * MIB;
  const period = record.cgroup ? CHECK_MS : MEMORY_CHECK_MS;
  let stopped = false;
  let lastUsed = 0;
  let diskPause = MIN_DISK_PAUSE_MS;
  let nextCount = 0;
  let nextHurriedCount = 0;
  let lost = 0;
  let lostAtCount = 0;
  let checking = false;
  /** Bytes in the writable folders before a step, or of the app that an instance started with. */
  let before: number | undefined;
  const yieldIfBusy = createCpuYield(record.cgroup, record.writable ? 'build' : 'instance', { cpus: record.limits.cpus });
  let timer = setTimeout(() => void check(), record.cgroup && !record.writable ? FIRST_AGENT_CHECK_MS : FIRST_CHECK_MS).unref();

  async function check(): Promise<void> {
    checking = true;
    try {
      if (stopped || detectPhase(folder, record) === 'ended') return;
      yieldIfBusy();
      if (!record.cgroup && exceedsMemory(folder, record, record.limits.memory_mb * MIB)) end('memory');
      else if (performance.now() >= nextCount) await countFiles();
    } catch (error) {
      if (stopped || statSync(folder.path, { throwIfNoEntry: false }) === undefined) return; // removed meanwhile
      log.warn({ err: error, instance: record.id }, 'The limits of an instance could not be checked; trying again.');
    }
    checking = false;
    if (!stopped) timer = setTimeout(() => void check(), period).unref();
  }

  async function countFiles(): Promise<void> {
    const begun = performance.now();
    const lostBefore = lost;
    const used = await diskUsage(folder, record);
    before ??= record.writable ? used : await copiedBytes();
    if (used - before > limit) return end('disk');
    const pause = Math.min(Math.max(diskPause * 2, DISK_REST_MS), MAX_DISK_PAUSE_MS);
    diskPause = used - Math.max(lastUsed, before) > limit * GROWTH ? MIN_DISK_PAUSE_MS : pause;
    lastUsed = used;
    lostAtCount = lostBefore;
    // Many files take long to count: counting takes at most a twentieth of the time.
    const cost = performance.now() - begun;
    nextCount = performance.now() + Math.max(diskPause, cost * 20);
    nextHurriedCount = performance.now() + Math.max(HURRY_PAUSE_MS, cost * 2);
  }

  const copiedBytes = async () => (record.copied_from === undefined ? 0 : folderUsage(record.mode, record.copied_from));

  function end(reason: 'memory' | 'disk'): void {
    if (stopped) return;
    try {
      markKilled(folder, reason);
    } catch (error) {
      log.warn({ err: error, instance: record.id }, 'Why an instance is ended could not be noted.');
    }
    killSandbox(folder, record);
  }

  return {
    diskLost(bytes) {
      lost = bytes;
      const maxUsed = lastUsed - (before ?? 0) + lost - lostAtCount;
      if (maxUsed <= limit || checking || stopped || performance.now() < nextHurriedCount) return;
      nextCount = 0;
      clearTimeout(timer);
      void check();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
