/** Streams may keep the loop so long at a stretch; requests and answers that fit into one read wait no longer for them. */
const maxMs = 0.5;
/** The part of all time that streams may take without making way. */
const share = 0.5;
/** A stream that was read so long ago makes nobody wait. To stop it and let it go on would cost more than the little that it brings. */
const restMs = 5;

export interface Reader {
  /** When its last read began (performance.now()). */
  readAt: number;
  /** Reads on, unless something else holds it back. */
  goOn(): void;
}

/**
 * Shares the loop between streams. A flood on a few hundred connections would otherwise be read wholly, each time, before anybody else's
 * request. Once the streams have had their share of a turn, those that follow wait, in the order in which they came.
 */
export class ReadScheduler {
  /** What streams may still take at the moment; it grows with time. */
  #leftMs = maxMs;
  #countedAt = 0;
  /** What a read took of late. */
  #usualMs = 0;
  #hasTurn = false;
  /** Who waits, with what its last read took: what the next one is expected to take. */
  readonly #waiting = new Map<Reader, number>();

  get waiting(): number {
    return this.#waiting.size;
  }

  /** After a read that began at `beganAt`. True if the reader is to stop until it is told to go on. */
  end(reader: Reader, beganAt: number): boolean {
    const now = performance.now();
    const hasRested = beganAt - reader.readAt > restMs;
    reader.readAt = beganAt;
    const ms = now - beganAt;
    this.#leftMs = Math.min(maxMs, this.#leftMs + (now - this.#countedAt) * share) - ms;
    this.#countedAt = now;
    this.#usualMs += (ms - this.#usualMs) / 16;
    if (hasRested || this.#leftMs >= 0) return false;
    return this.#wait(reader, ms);
  }

  /** Before a reader goes on that was held back by something else. True if it is to wait for its turn. */
  waits(reader: Reader): boolean {
    if (this.#leftMs < 0) return this.#wait(reader, this.#usualMs);
    reader.readAt = performance.now(); // to be held back is no rest
    return false;
  }

  #wait(reader: Reader, lastMs: number): true {
    this.#waiting.set(reader, lastMs);
    this.#awaitNext();
    return true;
  }

  #awaitNext(): void {
    if (!this.#hasTurn) setImmediate(() => this.#next());
    this.#hasTurn = true;
  }

  /** Everybody else has been served once. */
  #next(): void {
    this.#hasTurn = false;
    this.#leftMs = maxMs;
    this.#countedAt = performance.now();
    for (const [reader, lastMs] of this.#waiting) {
      if (this.#leftMs < 0) break;
      this.#waiting.delete(reader);
      reader.readAt = this.#countedAt;
      reader.goOn();
      this.#leftMs -= lastMs;
    }
    if (this.#waiting.size > 0) this.#awaitNext();
  }
}

/** Of this process, as its loop is. */
export const readScheduler = new ReadScheduler();
