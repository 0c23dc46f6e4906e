import { Stash } from '../bodies/stash.ts';
import { Tail } from '../taps/tail.ts';
import type { Exchange, Refusal, TailHold, WholeHold } from '../taps/tap.ts';

export interface BufferEvents {
  /** The next bytes are the last of the response. */
  ends: () => void;
  /** Sends the head, with this length of the body; undefined: unknown. */
  begin: (length: number | undefined, isDecoded?: boolean) => void;
  pass: (bytes: Buffer, from: number, to: number) => void;
  end: () => void;
  refuse: (code: 'blocked_by_policy' | 'policy_failed', detail?: string) => void;
  /** Fails a response of which part has been sent. */
  fail: (why: string) => void;
  /** Resumes reading from the agent. */
  resume: () => void;
}

/** The body of a response that a tap holds: collected whole, or changed while it streams. */
export class BufferedResponse {
  /** Whether nothing of the response has been sent. */
  isUnsent = true;
  readonly #hold: WholeHold | TailHold;
  readonly #exchange: Exchange;
  readonly #events: BufferEvents;
  readonly #stash = new Stash();
  readonly #tail: Tail | undefined;
  #isOver = false;
  /** Whether the body was too large to collect and passes unchanged. */
  #passes = false;

  constructor(hold: WholeHold | TailHold, exchange: Exchange, events: BufferEvents) {
    this.#hold = hold;
    this.#exchange = exchange;
    this.#events = events;
    if (hold.kind === 'tail') this.#tail = this.createTail(hold);
  }

  get isFull(): boolean {
    return this.#tail?.isFull ?? false;
  }

  take(bytes: Buffer, from: number, to: number): void {
    if (this.#isOver) return;
    if (this.#tail !== undefined) this.#tail.push(bytes, from, to);
    else if (this.#passes) this.#events.pass(bytes, from, to);
    else this.#collect(bytes, from, to);
  }

  #collect(bytes: Buffer, from: number, to: number): void {
    const hold = this.#hold as WholeHold;
    this.#stash.add(bytes, from, to);
    if (this.#stash.length <= hold.maxBytes) return;
    const beginning = this.#stash.bytes.subarray(this.#stash.from, this.#stash.to);
    if (hold.tooLarge(beginning) === 'refuse') return this.#refuse('blocked_by_policy');
    this.#passes = true;
    this.#begin(undefined);
    this.#events.pass(this.#stash.bytes, this.#stash.from, this.#stash.to);
    this.#stash.clear();
  }

  /** Called when the agent's response is complete. */
  finish(): void {
    if (this.#isOver) return;
    if (this.#tail !== undefined) this.#tail.finish();
    else if (this.#passes) this.#end();
    else this.#decide(this.#hold as WholeHold);
  }

  #decide(hold: WholeHold): void {
    const { bytes, from, to } = this.#stash;
    const body = Buffer.from(bytes.subarray(from, to));
    const decision = Promise.resolve().then(() => hold.decide(body, this.#exchange));
    decision.then(
      (verdict) => {
        if (this.#isOver) return;
        if (verdict.refuse) return this.#refuse('blocked_by_policy', verdict.detail);
        const out = verdict.body ?? body;
        this.#events.ends();
        this.#begin(out.length, verdict.isDecoded);
        this.#events.pass(out, 0, out.length);
        this.#end();
      },
      () => this.#refuse('policy_failed'),
    );
  }

  createTail(hold: TailHold): Tail {
    return new Tail(hold, this.#stash, {
      pass: (bytes) => {
        if (this.isUnsent) this.#begin(undefined);
        this.#events.pass(bytes, 0, bytes.length);
      },
      ends: this.#events.ends,
      end: () => {
        if (this.isUnsent) this.#begin(undefined);
        this.#events.pass(this.#stash.bytes, 0, 0);
        this.#end();
      },
      fail: (why, refusal) => this.#fail(why, refusal),
      resume: this.#events.resume,
    });
  }

  #fail(why: string, refusal: Refusal | undefined): void {
    if (!this.isUnsent) return this.#events.fail(why);
    if (refusal === undefined) this.#refuse('policy_failed');
    else this.#refuse('blocked_by_policy', refusal.message);
  }

  #begin(length: number | undefined, isDecoded?: boolean): void {
    this.isUnsent = false;
    this.#events.begin(length, isDecoded);
  }

  #refuse(code: 'blocked_by_policy' | 'policy_failed', detail?: string): void {
    if (this.#isOver) return;
    this.stop();
    this.#events.refuse(code, detail);
  }

  #end(): void {
    this.#isOver = true;
    this.#events.end();
  }

  /** Discards the body. */
  stop(): void {
    this.#isOver = true;
    this.#tail?.stop();
    this.#stash.clear();
  }
}
