import { closeSync, mkdirSync, openSync, renameSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A preallocated segment file: writing to it needs no free space. */
export interface Spare {
  path: string;
  bytes: number;
}

/** An hour of 20 exchanges a second at 2.6 kB. Without bodies they take 1.7 to 2.1 kB (measured), by the length of address and user agent. */
const maxBytes = 192 * 1024 * 1024;
/** Maximum share of a small disk. */
const diskShare = 1 / 16;
const spareCount = 16;
const minSpareBytes = 64 * 1024;
/** Shared by all writes: a new one for each would stay in memory until the gateway has work and collects its garbage. */
const zeros = Buffer.alloc(minSpareBytes);

/**
 * Reserves disk space for records without bodies: files that become segments while the disk is full. A file is only renamed and overwritten, so
 * no space becomes free that another program could take first.
 */
export function spareSegments(folder: string, wantedBytes: number) {
  const total = Math.min(wantedBytes, maxBytes);
  let bytes: number | undefined;
  const spares: Spare[] = [];
  let made = 0;
  return { count: () => spares.length, fill, take, release };

  /** Creates one spare if any is missing, to keep each call short. Returns false if the disk has no room for it. */
  function fill(): boolean {
    bytes ??= spareBytes();
    if (spares.length * bytes >= limitBytes()) return true;
    made += 1;
    const spare = { path: join(folder, `spare-${made}`), bytes };
    try {
      const fd = openSync(spare.path, 'w', 0o600);
      try {
        for (let written = 0; written < bytes; ) written += writeSync(fd, zeros, 0, Math.min(bytes - written, zeros.length));
      } finally {
        closeSync(fd);
      }
    } catch {
      rmSync(spare.path, { force: true });
      return false;
    }
    spares.push(spare);
    return true;
  }

  /** Renames a spare to `path`. */
  function take(path: string): Spare | undefined {
    const spare = spares.pop();
    if (spare === undefined) return undefined;
    renameSync(spare.path, path);
    return { ...spare, path };
  }

  function release(): void {
    for (const { path } of spares.splice(0)) rmSync(path, { force: true });
  }

  function limitBytes(): number {
    return Math.max(2 * minSpareBytes, Math.min(total, diskBytes() * diskShare));
  }

  function spareBytes(): number {
    return Math.max(minSpareBytes, Math.ceil(limitBytes() / spareCount));
  }

  function diskBytes(): number {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { blocks, bsize } = statfsSync(folder);
    return blocks * bsize;
  }
}
