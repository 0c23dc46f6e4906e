import type { Stash } from '../bodies/stash.ts';
import { Refusal, type TailHold } from './tap.ts';

/** Bytes that wait for the change before the sender is paused. */
const maxWaiting = 64 * 1024;

export interface TailEvents {
  /** Changed bytes, to be forwarded now. */
  pass: (bytes: Buffer) => void;
  /** The next forwarded bytes are the last. */
  ends?: () => void;
  /** Everything was forwarded. */
  end: () => void;
  /** The change failed, held back more than allowed, or refuses the body. */
  fail: (why: string, refusal?: Refusal) => void;
  /** The sender may continue. */
  resume: () => void;
}

/** Passes a body through a change, one piece after the other; the last bytes of a piece may be presented again with the next one. */
export class Tail {
  readonly #hold: TailHold;
  readonly #events: TailEvents;
  readonly #stash: Stash;
  #isLast = false;
  #isBusy = false;
  #isOver = false;
  /** Bytes at the beginning of the stash that the change has seen and held back. */
  #seen = 0;

  constructor(hold: TailHold, stash: Stash, events: TailEvents) {
    this.#hold = hold;
    this.#stash = stash;
    this.#events = events;
  }

  get isFull(): boolean {
    return this.#stash.length - this.#seen > maxWaiting;
  }

  push(bytes: Buffer, from: number, to: number): void {
    if (this.#isOver || from === to) return;
    this.#stash.add(bytes, from, to);
    this.#go();
  }

  /** The body has ended. */
  finish(): void {
    this.#isLast = true;
    this.#go();
  }

  /** The rest is no longer needed. */
  stop(): void {
    this.#isOver = true;
    this.#stash.clear();
  }

  #go(): void {
    if (this.#isBusy || this.#isOver || (!this.#isLast && this.#stash.length === this.#seen)) return;
    this.#isBusy = true;
    const { bytes, from, to } = this.#stash;
    const piece = Buffer.from(bytes.subarray(from, to));
    const isLast = this.#isLast;
    const length = piece.length;
    const changed = Promise.resolve().then(() => this.#hold.change(piece, isLast));
    changed.then(
      ({ out, keep }) => this.#changed(out, { length, keep, isLast }),
      (error: Error) => this.#fail(`a change of the body failed: ${error.message}`, error instanceof Refusal ? error : undefined),
    );
  }

  #changed(out: Buffer, { length, keep, isLast }: { length: number; keep: number; isLast: boolean }): void {
    if (this.#isOver) return;
    this.#isBusy = false;
    if (!(keep >= 0 && keep <= Math.min(length, isLast ? 0 : this.#hold.maxTail)))
      return this.#fail('a change of the body kept too much back');
    this.#stash.dropTo(this.#stash.from + length - keep);
    this.#seen = keep;
    if (isLast) this.#events.ends?.();
    if (out.length > 0) this.#events.pass(out);
    if (isLast) {
      this.#isOver = true;
      this.#events.end();
      return;
    }
    this.#go();
    if (!this.isFull) this.#events.resume();
  }

  #fail(why: string, refusal?: Refusal): void {
    if (this.#isOver) return;
    this.stop();
    this.#events.fail(why, refusal);
  }
}
