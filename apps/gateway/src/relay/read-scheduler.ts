/** Maximum time in ms that streams may occupy the event loop at a stretch; requests and responses that fit in one read wait no longer. */
const maxMs = 0.5;
/** Share of all time that streams may take without yielding. */
const share = 0.5;
/** A stream not read for this long (ms) delays nobody: pausing and resuming it would cost more than its few bytes. */
const restMs = 5;

export interface Reader {
  /** When its last read began (performance.now()). */
  readAt: number;
  /** Resumes reading, unless the reader is paused for another reason. */
  goOn(): void;
}

/**
 * Shares the event loop between streams. Without it a flood on a few hundred connections would be read completely before any other request,
 * each time. Once streams have used their share of a turn, further ones wait, first come first served.
 */
export class ReadScheduler {
  /** Remaining time budget of streams; it grows with time. */
  #leftMs = maxMs;
  #countedAt = 0;
  /** Recent average duration of a read. */
  #usualMs = 0;
  #hasTurn = false;
  /** Waiting readers with the duration of their last read, the estimate for the next one. */
  readonly #waiting = new Map<Reader, number>();

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Call after a read that began at `beganAt`. Returns true if the reader must pause until `goOn` is called. */
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

  /** Call before resuming a reader that was paused for another reason. Returns true if it must wait for its turn. */
  waits(reader: Reader): boolean {
    if (this.#leftMs < 0) return this.#wait(reader, this.#usualMs);
    reader.readAt = performance.now(); // the pause does not count as rest
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

  /** Resumes waiting readers, once everybody else has been served. */
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
