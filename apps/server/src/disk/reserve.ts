import { randomBytes } from 'node:crypto';
import { statfsSync, statSync, truncateSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { isDiskFull } from '../db/connect.ts';
import type { Log } from '../log.ts';

const MiB = 1024 * 1024;
/** Enough for a few WAL segments of PostgreSQL, which have 16 MiB. */
const maxReserveBytes = 64 * MiB;
const shareOfDisk = 0.1;
/** With more free space than this, or than half of the reserve, another disk is full. */
const scarceBytes = 24 * MiB;
const lookMs = 5_000;
/** After a part was released, the reserve takes no space for this time, even if much is free for a moment. */
const restMs = 10_000;
const maxTries = 4;

/** The purpose of space: noting an event, or removing something. Only removals get the second half of the reserve. */
export type Need = 'note' | 'removal';

export interface Reserve {
  /**
   * Runs the work. When the disk is full, releases a part of the reserve and retries, a few times: the work must be repeatable after an attempt
   * that failed for lack of space.
   */
  withRoom<T>(need: Need, work: () => PromiseLike<T>): Promise<T>;
  /** Releases a part of the reserve if the disk is full. Returns false when nothing is left to release, or another disk is full. */
  makeRoom(need: Need): boolean;
  close(): Promise<void>;
}

/** For servers without a reserve: work that fails for lack of space fails. */
export const noReserve: Reserve = {
  withRoom: async (_need, work) => await work(),
  makeRoom: () => false,
  close: async () => undefined,
};

/**
 * A file beside the data that reserves space while there is plenty, and releases it when the disk is full: without space nothing could be
 * removed, because the database logs each removal first. The file grows again once there is room.
 */
export function diskReserve(dataDir: string, log: Log): Reserve {
  const file = join(dataDir, 'reserve');
  const { blocks, bsize } = statfsSync(dataDir);
  const wanted = Math.floor(Math.min(maxReserveBytes, blocks * bsize * shareOfDisk) / MiB) * MiB;
  const size = () => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  let restsUntil = 0;
  let isClosed = false;

  function makeRoom(need: Need): boolean {
    restsUntil = performance.now() + restMs;
    const held = size();
    // Another caller may have made room a moment ago.
    if (freeBytes(dataDir) >= Math.max(scarceBytes, wanted / 2)) return held < wanted;
    const kept = need === 'removal' ? 0 : wanted / 2;
    if (held <= kept) return false;
    const left = Math.max(kept, Math.floor((held - wanted / 4) / MiB) * MiB);
    try {
      truncateSync(file, left);
    } catch (error) {
      log.error({ err: error }, 'releasing reserved disk space failed');
      return false;
    }
    log.warn({ freed_bytes: held - left, left_bytes: left, need }, 'disk full: reserved space released');
    return true;
  }

  const mayTake = () => !isClosed && performance.now() >= restsUntil;
  const missing = () => wanted - size();

  /** Writes random bytes: on a file system with compression or sparse zeros, other bytes would take no space. */
  async function refill() {
    if (!mayTake() || missing() <= 0 || freeBytes(dataDir) < missing() * 2) return;
    const handle = await open(file, 'a', 0o600);
    try {
      while (mayTake() && missing() > 0) await handle.appendFile(randomBytes(Math.min(MiB, missing())));
      await handle.datasync();
    } finally {
      await handle.close();
    }
  }

  // A start writes files and opens the database: on a full disk it needs room as well.
  if (freeBytes(dataDir) < wanted / 4) makeRoom('removal');
  let filling = Promise.resolve();
  let isFilling = false;
  const look = () => {
    if (isFilling) return;
    isFilling = true;
    filling = refill()
      .catch((error: unknown) => log.warn({ err: error }, 'reserving disk space failed; retrying'))
      .finally(() => (isFilling = false));
  };
  look();
  const timer = setInterval(look, lookMs).unref();

  return {
    makeRoom,
    async withRoom(need, work) {
      for (let tries = 1; ; tries++)
        try {
          return await work();
        } catch (error) {
          if (!isDiskFull(error) || tries === maxTries || !makeRoom(need)) throw error;
        }
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      await filling;
    },
  };
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
