import type { RequestBody } from '../bodies/request-body.ts';
import { Stash } from '../bodies/stash.ts';
import type { Limits } from '../limits.ts';
import type { Exchange, Hold, WholeHold } from '../taps/tap.ts';
import type { CurrentExchange } from './current-exchange.ts';
import type { ParsedRequest } from './parsed-request.ts';
import type { RequestWriter, WriteOptions } from './request-writer.ts';
import type { Piece } from './send.ts';

/** Request headers that a held response must not follow: it would be encoded or partial. */
const ofAnswer = ['accept-encoding', 'range', 'if-range'];
/** Headers that only hold for the body as the visitor sent it. */
const ofRequestBody = ['content-md5', 'digest', 'content-digest', 'repr-digest'];

interface HeldParts {
  asked: ParsedRequest;
  request: RequestWriter;
  facts: CurrentExchange;
  limits: Limits;
  /** Sends the request to the agent, with the options that were set. */
  go: () => void;
  refuse: HeldRequestEvents['refuse'];
}

/** Sets how a request is written if its body or response may be held. Returns the collector of its body, or undefined if it may be sent at once. */
export function bufferRequest(hold: Hold, { asked, request, facts, limits, go, refuse }: HeldParts): BufferedRequest | undefined {
  const own = request.body.isWhole ? undefined : hold.request;
  const dropped = new Set([...(hold.answer ? ofAnswer : []), ...(own ? ofRequestBody : [])]);
  const tail = own?.kind === 'tail' ? own : undefined;
  // The length of a changed body is not known.
  const isChunked = asked.isChunked || tail !== undefined;
  const text = asked.heldText({ isChunked, length: isChunked ? -1 : asked.length }, dropped);
  const way: WriteOptions = { text, makesChunks: own !== undefined && isChunked, ...(tail && { tail }) };
  request.way = way;
  if (own === undefined) return undefined;
  request.body.begin(asked, { maxExtras: limits.chunkExtraBytes, isPlain: true });
  request.body.show(facts.requestWatcher);
  if (own.kind === 'tail') return undefined;
  return new BufferedRequest(own, facts, {
    pass: (beginning) => {
      request.way = { ...way, prepared: beginning };
      go();
    },
    decided: (body, isDecoded) => {
      const gone = isDecoded ? new Set([...dropped, 'content-encoding']) : dropped;
      const changed = asked.heldText({ isChunked: false, length: body.length }, gone);
      request.way = { text: changed, makesChunks: false, prepared: body };
      go();
    },
    refuse,
  });
}

export interface HeldRequestEvents {
  /** The body is too large to hold, and may pass: this is its beginning. */
  pass: (beginning: Buffer) => void;
  decided: (body: Buffer, isDecoded: boolean) => void;
  refuse: (code: 'blocked_by_policy' | 'policy_failed', detail?: string) => void;
}

/** A request's body that is collected completely before anything is sent to the agent. */
export class BufferedRequest {
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
    if (this.#hold.tooLarge(beginning) === 'refuse') this.#events.refuse('blocked_by_policy');
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
          if (verdict.refuse) this.#events.refuse('blocked_by_policy', verdict.detail);
          else this.#events.decided(verdict.body ?? body, verdict.isDecoded ?? false);
        },
        () => {
          if (this.#isOver) return;
          this.stop();
          this.#events.refuse('policy_failed');
        },
      );
  }

  /** The body is no longer needed. */
  stop(): void {
    this.#isOver = true;
    this.#stash.clear();
  }

  #body(): Buffer {
    return Buffer.from(this.#stash.bytes.subarray(this.#stash.from, this.#stash.to));
  }
}
