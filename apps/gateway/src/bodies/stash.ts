const nothing = Buffer.alloc(0);
const firstBytes = 1024;

/**
 * Bytes of a connection that have arrived and cannot be processed yet. Each byte is copied about twice, however small the pieces are in which they
 * arrive; an empty stash holds no memory.
 */
export class Stash {
  bytes = nothing;
  from = 0;
  to = 0;

  get length(): number {
    return this.to - this.from;
  }

  /** Adds the bytes [from, to) of a buffer that is about to be reused. */
  add(source: Buffer, from: number, to: number): void {
    const count = to - from;
    if (count === 0) return;
    if (this.to + count > this.bytes.length) this.#makeRoom(count);
    source.copy(this.bytes, this.to, from, to);
    this.to += count;
  }

  /** Drops the bytes before `at`, which have been processed. */
  dropTo(at: number): void {
    this.from = at;
    if (at === this.to) this.clear();
  }

  clear(): void {
    this.bytes = nothing;
    this.from = 0;
    this.to = 0;
  }

  #makeRoom(count: number): void {
    const needed = this.length + count;
    const room = this.bytes.length >= 2 * needed ? this.bytes : Buffer.allocUnsafe(Math.max(firstBytes, 2 * needed));
    this.bytes.copy(room, 0, this.from, this.to);
    this.bytes = room;
    this.to = this.length;
    this.from = 0;
  }
}
