import { statSync } from 'node:fs';
import { killSandbox, markKilled } from '../end/ending.ts';
import type { Log } from '../host/log.ts';
import { type Folder, phaseOf, type SandboxRecord } from '../records/records.ts';
import { diskUsage, holdsMoreThan } from './usage.ts';
import { yieldsWhenBurning } from './yielding.ts';

const MIB = 1024 * 1024;
const FIRST_LOOK_MS = 20;
/** Counting the files of an agent that is just starting would slow it down; should it fill the disk meanwhile, the meter tells. */
const FIRST_AGENT_LOOK_MS = 1000;
const LOOK_MS = 1000;
/** Without control groups only looking often keeps a greedy agent from taking the machine's memory. */
const MEMORY_LOOK_MS = 100;
const DISK_QUICK_MS = 2000;
/** Of what hardly grows, from the first look on: should it suddenly fill the disk, the meter tells. */
const DISK_REST_MS = 10_000;
const DISK_SLOW_MS = 60_000;
/** Growth between two looks that is worth a quick next one, as a part of the limit. */
const GROWTH = 1 / 100;
/** However fast the disk fills, an instance whose files take long to count is not counted all the time. */
const HURRY_PAUSE_MS = 50;

export interface Watch {
  /**
   * Tells what the disk as a whole has lost so far (`diskMeter`). As soon as that could be this instance's doing and too much,
   * its files are counted, without waiting for the next look.
   */
  diskLost(bytes: number): void;
  stop(): void;
}

/**
 * Holds one sandbox to the limits that the kernel does not enforce for us: disk space always, memory where there
 * are no control groups. Counting files is dear, so it happens seldom while nothing grows.
 */
export function watchLimits(folder: Folder, record: SandboxRecord, log: Log): Watch {
  const limit = record.limits.disk_mb * MIB;
  const period = record.cgroup ? LOOK_MS : MEMORY_LOOK_MS;
  let stopped = false;
  let lastDisk = 0;
  let diskPause = DISK_QUICK_MS;
  let nextDiskLook = 0;
  let nextHurriedLook = 0;
  let lost = 0;
  let lostAtLook = 0;
  let looking = false;
  let before: number | undefined;
  const yieldIfBurning = yieldsWhenBurning(record.cgroup, record.writable ? 'build' : 'instance', record.limits.cpus);
  let timer = setTimeout(() => void look(), record.cgroup && !record.writable ? FIRST_AGENT_LOOK_MS : FIRST_LOOK_MS).unref();

  async function look(): Promise<void> {
    looking = true;
    try {
      if (stopped || phaseOf(folder, record) === 'ended') return;
      yieldIfBurning();
      if (!record.cgroup && holdsMoreThan(folder, record, record.limits.memory_mb * MIB)) end('memory');
      else if (performance.now() >= nextDiskLook) await lookAtDisk();
    } catch (error) {
      if (stopped || statSync(folder.path, { throwIfNoEntry: false }) === undefined) return; // removed meanwhile
      log.warn({ err: error, instance: record.id }, 'The limits of an instance could not be checked; trying again.');
    }
    looking = false;
    if (!stopped) timer = setTimeout(() => void look(), period).unref();
  }

  async function lookAtDisk(): Promise<void> {
    const begun = performance.now();
    const lostBefore = lost;
    const used = await diskUsage(folder, record);
    before ??= record.writable ? used : 0;
    if (used - before > limit) return end('disk');
    const pause = Math.min(Math.max(diskPause * 2, DISK_REST_MS), DISK_SLOW_MS);
    diskPause = used - Math.max(lastDisk, before) > limit * GROWTH ? DISK_QUICK_MS : pause;
    lastDisk = used;
    lostAtLook = lostBefore;
    // Many files take long to count: never spend more than a twentieth of the time on it.
    const cost = performance.now() - begun;
    nextDiskLook = performance.now() + Math.max(diskPause, cost * 20);
    nextHurriedLook = performance.now() + Math.max(HURRY_PAUSE_MS, cost * 2);
  }

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
      const most = lastDisk - (before ?? 0) + lost - lostAtLook;
      if (most <= limit || looking || stopped || performance.now() < nextHurriedLook) return;
      nextDiskLook = 0;
      clearTimeout(timer);
      void look();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
