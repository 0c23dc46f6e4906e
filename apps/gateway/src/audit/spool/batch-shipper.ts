import { type FileHandle, open } from 'node:fs/promises';
import type { Logger } from 'pino';
import { readFrameLines } from './frames.ts';
import type { Segment } from './segments.ts';
import type { Batch } from './spool-store.ts';
import { linesByTeam } from './team-lines.ts';

/** A spool as the shipper sees it. */
export interface SpoolCursor {
  id: string;
  /** Oldest first. */
  readonly segments: readonly Segment[];
  /** The number of the last record known to be shipped. */
  handedIn: number;
  /** Read offset in the oldest segment. */
  offset: number;
  /** Called when all records of the oldest segment are shipped. */
  drop(segment: Segment): void;
}

export interface ShipParts {
  submit: (batch: Batch) => Promise<number>;
  maxRecords: number;
  maxBytes: number;
  log: Logger;
}

/** Ships the records of spools, one batch at a time. */
export function createBatchShipper({ submit, maxRecords, maxBytes, log }: ShipParts) {
  let buffer: Buffer | undefined;
  return { ship };

  /** Ships one batch. Returns the number of records read, 0 if there are no more. Rejects if the database does not take the batch. */
  async function ship(cargo: SpoolCursor): Promise<number> {
    for (let segment = cargo.segments[0]; segment !== undefined; segment = cargo.segments[0]) {
      const read = await readFrom(segment, cargo);
      if (read.count > 0) {
        const teams = await linesByTeam(read.lines);
        cargo.handedIn = await submit({ id: cargo.id, from: cargo.handedIn, to: read.last, teams });
        // If not all were shipped, the same records are read again, and the shipped ones are skipped.
        if (cargo.handedIn === read.last) cargo.offset += read.used;
        return read.count;
      }
      cargo.offset += read.used;
      if (read.used === 0 && !finishSegment(segment, cargo)) return 0;
    }
    return 0;
  }

  /** Drops a segment without more readable records. Returns false if it is still written to. */
  function finishSegment(segment: Segment, cargo: SpoolCursor): boolean {
    if (cargo.offset < segment.size) {
      log.error({ spool: cargo.id, bytes: segment.size - cargo.offset }, 'audit spool segment has a corrupt end; the rest is skipped');
      cargo.offset = segment.size;
    }
    const before = cargo.segments.length;
    cargo.drop(segment);
    if (cargo.segments.length === before) return false;
    cargo.offset = 0;
    return true;
  }

  async function readFrom(segment: Segment, { offset, handedIn }: SpoolCursor) {
    const length = Math.min(maxBytes, segment.size - offset);
    if (length <= 0) return { lines: Buffer.alloc(0), count: 0, last: handedIn, used: 0 };
    buffer ??= Buffer.allocUnsafeSlow(maxBytes);
    const file = await opened(segment);
    if (file === undefined) return { lines: buffer.subarray(0, 0), count: 0, last: handedIn, used: length };
    try {
      const { bytesRead } = await file.read(buffer, 0, length, offset);
      return readFrameLines(buffer.subarray(0, bytesRead), { after: handedIn, maxCount: maxRecords });
    } finally {
      await file.close();
    }
  }
}

/** Opens a segment; undefined if another process has shipped and removed it. */
async function opened({ path }: Segment): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r');
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw err;
  }
}
