import { BROKEN, Chunks, type DataTaker } from './chunks.ts';

/** Follows the body of a connection's current request. */
export class RequestBody {
  /** Bytes that `take` left to be forwarded, and how many of them are the body's own. */
  kept = 0;
  data = 0;
  #left = 0;
  #chunks: Chunks | undefined;
  #taker: DataTaker | undefined;

  /** `length` is Content-Length or -1; `isPlain` removes the sizes of chunks. */
  begin(request: { isChunked: boolean; length: number }, options: { maxExtras: number; isPlain?: boolean }): void {
    this.#left = Math.max(0, request.length);
    this.#taker = undefined;
    this.#chunks = undefined;
    if (!request.isChunked) return;
    this.#chunks = new Chunks({
      maxExtras: options.maxExtras,
      keepsFraming: !options.isPlain,
      taker: (bytes, from, to) => this.#taker?.(bytes, from, to),
    });
  }

  /** Sets the receiver of the body's own bytes, whatever their framing. */
  show(taker: DataTaker | undefined): void {
    this.#taker = taker;
  }

  get isWhole(): boolean {
    return this.#chunks === undefined ? this.#left === 0 : this.#chunks.isDone;
  }

  /** Whether more than that many bytes are still to come; unknown for chunks until they are read. */
  wantsMoreThan(bytes: number): boolean {
    return this.#chunks === undefined && this.#left > bytes;
  }

  /** Reads bytes [from, to) until the body's end. Returns how many belong to the body, or BROKEN. */
  take(bytes: Buffer, from: number, to: number): number {
    if (this.#chunks !== undefined) {
      const used = this.#chunks.read(bytes, from, to);
      if (used !== BROKEN) ({ kept: this.kept, data: this.data } = this.#chunks);
      return used;
    }
    const used = Math.min(this.#left, to - from);
    this.#left -= used;
    this.kept = used;
    this.data = used;
    if (used > 0) this.#taker?.(bytes, from, from + used);
    return used;
  }
}
