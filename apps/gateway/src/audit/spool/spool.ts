import { close, fsync, ftruncateSync, mkdirSync, openSync, rmSync, unlink, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { Frames } from './frames.ts';
import { touchOwner, writeOwner } from './owner.ts';
import { type Segment, segmentPath } from './segments.ts';
import { type Spare, spareSegments } from './spares.ts';

export interface SpoolParts {
  /** The folder of this spool alone; it is created. */
  folder: string;
  maxBytes: number;
  segmentBytes: number;
  log: Logger;
}

/** Which records still fit: all, those without bodies, or only those with promised room. */
export type SpoolCapacity = 'roomy' | 'tight' | 'full';

const tightShare = 0.5;
const fullShare = 0.95;
/** Share of the maximum size that is reserved for a full disk. */
const spareShare = 0.2;
/** Size that nearly no record without a body exceeds. */
const recordBytes = 4 * 1024;
/** Spares reserved for the records of requests in progress. */
const keptSpares = 1;

/**
 * Records of this process in files, numbered from 1. A written record survives the end of the process; an fsync once a second makes it survive
 * a crash of the machine.
 */
export class Spool {
  /** Oldest first; the last one is written to. */
  readonly segments: Segment[] = [];
  /** The number of the last record. */
  last = 0;
  /** Bytes of all segments. */
  bytes = 0;
  /** Size of the spools that this process has adopted. */
  othersBytes = 0;
  readonly folder: string;
  readonly #parts: SpoolParts;
  readonly #segmentBytes: number;
  readonly #spares: ReturnType<typeof spareSegments>;
  readonly #waiting = new Frames();
  readonly #afterwards: ((isRecorded: boolean) => void)[] = [];
  #fd: number | undefined;
  #isMade = false;
  #isFailing = false;
  /** Whether the disk is full and records go to spares. */
  #isShort = false;
  #diskError: unknown;
  /** The spare that is being written. */
  #spare: Spare | undefined;
  #isUnsynced = false;
  #isSyncing = false;
  /** Number of records with promised room. */
  #promised = 0;

  constructor(parts: SpoolParts) {
    this.folder = parts.folder;
    this.#parts = parts;
    this.#segmentBytes = Math.min(parts.segmentBytes, Math.ceil(parts.maxBytes / 8));
    this.#spares = spareSegments(parts.folder, Math.ceil(parts.maxBytes * spareShare));
    this.tick();
  }

  get room(): SpoolCapacity {
    if (this.#isFailing) return 'full';
    const { maxBytes } = this.#parts;
    const used = this.bytes + this.othersBytes + this.#promised * recordBytes;
    if (used > fullShare * maxBytes) return 'full';
    if (this.#isShort) return this.#spares.count() > keptSpares ? 'tight' : 'full';
    return used > tightShare * maxBytes ? 'tight' : 'roomy';
  }

  /** Whether the disk has no room beyond the reserved space, or not even that. */
  get isDiskFull(): boolean {
    return this.#isFailing || this.#isShort;
  }

  /** The error of the last failed write. */
  get diskError(): unknown {
    return this.#diskError;
  }

  /** Reserves room for `records` records; a negative count releases it. */
  promise(records: number): void {
    this.#promised += records;
  }

  /** Writes a line and all pending lines at once. Returns false on failure; never throws. */
  write(line: string): boolean {
    this.#waiting.add(this.last + this.#waiting.count + 1, line);
    return this.flush();
  }

  /** Adds a line that is written before the next socket event is handled, or together with the next `write`. */
  add(line: string, written: (isRecorded: boolean) => void): void {
    if (this.#waiting.count === 0) setImmediate(() => this.flush());
    this.#waiting.add(this.last + this.#waiting.count + 1, line);
    this.#afterwards.push(written);
  }

  /** Writes the pending lines. */
  flush(): boolean {
    if (this.#waiting.count === 0) return true;
    const isWritten = this.#tryTwice();
    if (isWritten) this.last += this.#waiting.count;
    this.#waiting.clear();
    for (const written of this.#afterwards) written(isWritten);
    this.#afterwards.length = 0;
    return isWritten;
  }

  #tryTwice(): boolean {
    try {
      this.#append(this.#waiting.bytes);
      return true;
    } catch (err) {
      this.#isShort = true;
      this.#diskError = err;
    }
    // The disk is full: spares are used. Partly written frames are written again from their beginning.
    while (this.#takeSpare())
      try {
        this.#append(this.#waiting.bytes);
        return true;
      } catch (err) {
        this.#parts.log.error({ err }, 'writing to a spare audit spool segment failed');
      }
    this.#isFailing = true;
    return false;
  }

  /** Continues with a spare. Returns false if there is none. */
  #takeSpare(): boolean {
    try {
      const spare = this.#spares.take(segmentPath(this.folder, this.last + 1));
      if (spare === undefined) return false;
      const fd = openSync(spare.path, 'r+');
      this.#enter(spare.path, fd);
      this.#spare = spare;
      return true;
    } catch (err) {
      this.#parts.log.error({ err }, 'opening a spare audit spool segment failed');
      return false;
    }
  }

  #append(frames: Buffer): void {
    let active = this.segments.at(-1);
    const capacity = this.#spare?.bytes ?? this.#segmentBytes;
    if (this.#fd === undefined || active === undefined || active.size + frames.length > capacity) active = this.#next();
    // Written at an explicit position, to overwrite what a failed write left behind.
    for (let written = 0; written < frames.length; )
      written += writeSync(this.#fd!, frames, written, frames.length - written, active.size + written);
    active.size += frames.length;
    this.bytes += frames.length;
    this.#isUnsynced = true;
  }

  #next(): Segment {
    this.#make();
    const path = segmentPath(this.folder, this.last + 1);
    return this.#enter(path, openSync(path, 'w', 0o600));
  }

  /** Makes this file the one that is written. */
  #enter(path: string, fd: number): Segment {
    this.#leave();
    this.#fd = fd;
    const first = this.last + 1;
    const segment = { path, first, size: 0 };
    const active = this.segments.at(-1);
    // A segment without records has the same name, and is replaced.
    if (active?.first === first) this.segments.pop();
    this.segments.push(segment);
    return segment;
  }

  #make(): void {
    if (this.#isMade) return;
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    writeOwner(this.folder);
    this.#isMade = true;
    this.#spares.fill();
  }

  #leave(): void {
    const fd = this.#fd;
    if (fd === undefined) return;
    // Removes the unused rest of a spare.
    if (this.#spare !== undefined) ftruncateSync(fd, this.segments.at(-1)?.size ?? 0);
    this.#fd = undefined;
    this.#spare = undefined;
    fsync(fd, () => close(fd));
  }

  /** Runs once a second: syncs written records, and checks whether a full disk has room again. Never throws. */
  tick(): void {
    try {
      this.#make();
      touchOwner(this.folder);
    } catch (err) {
      if (!this.#isFailing) this.#parts.log.error({ err }, 'creating the audit spool failed');
      this.#diskError = err;
      this.#isFailing = true;
      this.#isMade = false;
      return;
    }
    const hasRoom = this.#spares.fill();
    if (hasRoom) {
      this.#isFailing = false;
      this.#isShort = false;
    }
    this.#sync();
  }

  #sync(): void {
    if (!this.#isUnsynced || this.#isSyncing || this.#fd === undefined) return;
    this.#isUnsynced = false;
    this.#isSyncing = true;
    fsync(this.#fd, (err) => {
      this.#isSyncing = false;
      if (err) this.#parts.log.error({ err }, 'fsync of the audit spool failed');
    });
  }

  /** Removes the oldest segment, whose records are all shipped. The segment that is being written is kept until the next one. */
  drop(segment: Segment): void {
    if (segment === this.segments.at(-1)) return;
    this.segments.splice(this.segments.indexOf(segment), 1);
    this.bytes -= segment.size;
    // Asynchronous, because freeing many pages takes time. A file that could not be removed is shipped again, and its records are skipped.
    unlink(segment.path, () => undefined);
  }

  /** Closes the spool. `isEmpty`: all records are shipped, and the files are removed. */
  close(isEmpty: boolean): void {
    this.flush();
    this.#leave();
    this.#spares.release();
    if (isEmpty) rmSync(this.folder, { recursive: true, force: true });
  }
}

export const spoolFolder = (root: string, id: string): string => join(root, id);
