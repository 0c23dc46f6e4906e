import type { RequestBody } from '../bodies/request-body.ts';
import { Stash } from '../bodies/stash.ts';
import type { Exchange, Hold, WholeHold } from '../taps/tap.ts';
import type { AskedRequest } from './asked.ts';
import type { Way } from './request-out.ts';
import type { Piece } from './send.ts';

/** What a held answer must not come with: it would be encoded, or a part of the whole. */
const ofAnswer = ['accept-encoding', 'range', 'if-range'];
/** What is only true of the body as the visitor sent it. */
const ofRequestBody = ['content-md5', 'digest', 'content-digest', 'repr-digest'];

/** How a request goes to the agent if its body or its answer may be held. */
export function heldWay(asked: AskedRequest, hold: Hold): Way & { isPlain: boolean; dropped: Set<string> } {
  const { request } = hold;
  const dropped = new Set([...(hold.answer ? ofAnswer : []), ...(request ? ofRequestBody : [])]);
  const tail = request?.kind === 'tail' ? request : undefined;
  // Nobody knows how long a changed body will be.
  const isChunked = asked.isChunked || tail !== undefined;
  const text = asked.heldText({ isChunked, length: isChunked ? -1 : asked.length }, dropped);
  const isPlain = request !== undefined;
  return { text, makesChunks: isPlain && isChunked, isPlain, dropped, ...(tail && { tail }) };
}

export interface HeldRequestEvents {
  /** It is larger than may be held, and may pass: this is its beginning. */
  pass: (beginning: Buffer) => void;
  decided: (body: Buffer) => void;
  refuse: (code: 'blocked_by_policy' | 'policy_failed') => void;
}

/** A request's body that is collected whole before the agent hears of it. */
export class HeldRequest {
  readonly #hold: WholeHold;
  readonly #exchange: Exchange;
  readonly #events: HeldRequestEvents;
  readonly #stash = new Stash();
  #isOver = false;

  constructor(hold: WholeHold, exchange: Exchange, events: HeldRequestEvents) {
    this.#hold = hold;
    this.#exchange = exchange;
    this.#events = events;
  }

  /** Returns how many of the bytes belong to the body, or BROKEN. */
  take(body: RequestBody, { bytes, from, to }: Piece): number {
    const used = body.take(bytes, from, to);
    if (used > 0) this.#stash.add(bytes, from, from + body.kept);
    if (this.#stash.length > this.#hold.maxBytes) this.#tooLarge();
    return used;
  }

  #tooLarge(): void {
    const beginning = this.#body();
    this.stop();
    if (this.#hold.beyond === 'refuse') this.#events.refuse('blocked_by_policy');
    else this.#events.pass(beginning);
  }

  /** The body is whole. */
  finish(): void {
    if (this.#isOver) return;
    const body = this.#body();
    this.#stash.clear();
    Promise.resolve()
      .then(() => this.#hold.decide(body, this.#exchange))
      .then(
        (verdict) => {
          if (this.#isOver) return;
          this.stop();
          if (verdict.refuse) this.#events.refuse('blocked_by_policy');
          else this.#events.decided(verdict.body ?? body);
        },
        () => {
          if (this.#isOver) return;
          this.stop();
          this.#events.refuse('policy_failed');
        },
      );
  }

  /** Nobody wants it any more. */
  stop(): void {
    this.#isOver = true;
    this.#stash.clear();
  }

  #body(): Buffer {
    return Buffer.from(this.#stash.bytes.subarray(this.#stash.from, this.#stash.to));
  }
}
