/** Reads of bodies and WebSockets may take so long of one turn of the loop; requests and answers that fit into one read wait no longer for them. */
const maxMs = 0.5;

export interface Reader {
  /** Reads on, unless something else holds it back. */
  goOn(): void;
}

/**
 * Shares the loop between streams. A flood on a few hundred connections would otherwise be read wholly, each time, before anybody else's
 * request. Once the streams have had their share of a turn, those that follow wait, in the order in which they came.
 */
export class Turns {
  #spentMs = 0;
  /** What a read took of late. */
  #usualMs = 0;
  #hasTurn = false;
  /** Who waits, with what its last read took: what the next one is expected to take. */
  readonly #waiting = new Map<Reader, number>();

  get waiting(): number {
    return this.#waiting.size;
  }

  /** After a read that began at `beganAt` (performance.now()). True if the reader is to stop until it is told to go on. */
  end(reader: Reader, beganAt: number): boolean {
    const ms = performance.now() - beganAt;
    this.#awaitNext();
    this.#spentMs += ms;
    this.#usualMs += (ms - this.#usualMs) / 16;
    return this.waits(reader, ms);
  }

  /** Before a reader goes on that was held back by something else. True if it is to wait for its turn. */
  waits(reader: Reader, lastMs = this.#usualMs): boolean {
    if (this.#spentMs <= maxMs) return false;
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
    this.#spentMs = 0;
    let promisedMs = 0;
    for (const [reader, lastMs] of this.#waiting) {
      if (promisedMs > maxMs) break;
      promisedMs += lastMs;
      this.#waiting.delete(reader);
      reader.goOn();
    }
    this.#spentMs = promisedMs;
    if (this.#waiting.size > 0) this.#awaitNext();
  }
}

/** Of this process, as its loop is. */
export const turns = new Turns();
