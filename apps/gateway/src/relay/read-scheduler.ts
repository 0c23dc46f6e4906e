/** Maximum time that streams occupy the loop in one go; requests and responses that fit into one read wait no longer for them. */
const maxMs = 0.5;
/** Share of all time that streams may take without yielding. */
const share = 0.5;
/** A stream whose last read was this long ago delays nobody. Pausing and resuming it would cost more than the little that it brings. */
const restMs = 5;

export interface Reader {
  /** Time of its last read's begin (performance.now()). */
  readAt: number;
  /** Continues reading, unless something else pauses it. */
  goOn(): void;
}

/**
 * Shares the loop between streams. Otherwise a flood on a few hundred connections would be read completely, each time, before any other
 * request. Once the streams have used their share of a turn, the following ones wait, in order of arrival.
 */
export class ReadScheduler {
  /** Remaining time budget of the streams; it grows with time. */
  #leftMs = maxMs;
  #countedAt = 0;
  /** Recent duration of a read. */
  #usualMs = 0;
  #hasTurn = false;
  /** Waiting readers, with the duration of their last read, which is the estimate for the next one. */
  readonly #waiting = new Map<Reader, number>();

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Called after a read that began at `beganAt`. True if the reader must pause until `goOn`. */
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

  /** Called before a reader continues that was paused by something else. True if it must wait for its turn. */
  waits(reader: Reader): boolean {
    if (this.#leftMs < 0) return this.#wait(reader, this.#usualMs);
    reader.readAt = performance.now(); // time spent paused is not rest
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

  /** All other connections have been served once. */
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

/** The scheduler of this process, which has one event loop. */
export const readScheduler = new ReadScheduler();
