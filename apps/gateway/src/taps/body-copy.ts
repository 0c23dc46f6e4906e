/** The first and the last bytes of a body; `total` is its size. */
export interface BodyCopy {
  first: Uint8Array<ArrayBuffer>;
  /** The bytes after `first`, or the end of them. */
  last: Uint8Array<ArrayBuffer>;
  total: number;
}

/** Memory shared by all copies. */
export interface Budget {
  /** False, and takes nothing, if less than that is left. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

export function budget(maxBytes: number): Budget {
  let left = maxBytes;
  return {
    take(bytes) {
      if (bytes > left) return false;
      left -= bytes;
      return true;
    },
    give(bytes) {
      left += bytes;
    },
  };
}

/** A collected end of a body: grows by doubling up to a cap. */
class Part {
  bytes = new Uint8Array(0);
  length = 0;
  readonly #max: number;
  readonly #budget: Budget;

  constructor(max: number, budget: Budget) {
    this.#max = max;
    this.#budget = budget;
  }

  get room(): number {
    return this.#max - this.length;
  }

  /** False if the budget does not allow it. */
  add(source: Buffer, from: number, to: number): boolean {
    const needed = this.length + to - from;
    if (needed > this.bytes.length && !this.#grow(needed)) return false;
    this.bytes.set(source.subarray(from, to), this.length);
    this.length = needed;
    return true;
  }

  /** Drops its first bytes. */
  drop(count: number): void {
    this.bytes.copyWithin(0, count, this.length);
    this.length -= count;
  }

  #grow(needed: number): boolean {
    const size = Math.min(this.#max, Math.max(512, 2 * needed));
    if (!this.#budget.take(size - this.bytes.length)) return false;
    const grown = new Uint8Array(size);
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
    return true;
  }
}

/** Copies both ends of a passing body. */
export class BodyCopier {
  /** The budget did not allow the whole copy. */
  isShort = false;
  #total = 0;
  readonly #first: Part;
  readonly #last: Part;
  readonly #maxLast: number;

  /** `maxFirst` and `maxLast` in bytes. */
  constructor({ maxFirst, maxLast }: { maxFirst: number; maxLast: number }, budget: Budget) {
    // Twice the cap, so that old bytes are moved out rarely.
    this.#maxLast = maxLast;
    this.#first = new Part(maxFirst, budget);
    this.#last = new Part(2 * maxLast, budget);
  }

  add(bytes: Buffer, from: number, to: number): void {
    this.#total += to - from;
    if (this.isShort) return;
    const head = Math.min(this.#first.room, to - from);
    this.isShort = (head > 0 && !this.#first.add(bytes, from, from + head)) || !this.#addLast(bytes, from + head, to);
  }

  #addLast(bytes: Buffer, from: number, to: number): boolean {
    const start = Math.max(from, to - this.#maxLast);
    if (start >= to) return true;
    const beyond = this.#last.length + (to - start) - this.#maxLast;
    if (to - start > this.#last.room) this.#last.drop(Math.min(this.#last.length, beyond));
    return this.#last.add(bytes, start, to);
  }

  /** Bytes taken from the budget. */
  get held(): number {
    return this.#first.bytes.length + this.#last.bytes.length;
  }

  copy(): BodyCopy {
    const from = Math.max(0, this.#last.length - this.#maxLast);
    return {
      first: this.#first.bytes.subarray(0, this.#first.length),
      last: this.#last.bytes.subarray(from, this.#last.length),
      total: this.#total,
    };
  }
}
