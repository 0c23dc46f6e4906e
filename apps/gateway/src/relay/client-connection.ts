import type { Socket } from 'node:net';
import { Stash } from '../bodies/stash.ts';
import { BrokenStart } from '../heads/broken-start.ts';
import { CR, LF } from '../heads/characters.ts';
import { HeadFinder } from '../heads/head-finder.ts';
import type { Client } from './client-address.ts';
import type { ClientSide } from './client-side.ts';
import { RelayedExchange } from './exchange.ts';
import type { Phase } from './phase.ts';
import { readScheduler } from './read-scheduler.ts';
import type { RelayDeps } from './relay-deps.ts';
import { onTimeout } from './timeouts.ts';

/** Requests of one connection that are begun before other connections get a turn. */
const perTurn = 16;
/** Bytes sent ahead of a response that are buffered before reading is paused. */
const aheadBytes = 64 * 1024;

/** A connection of a visitor: parses requests from the received bytes, passes them to its exchange one after the other, and enforces deadlines. */
export class ClientConnection implements ClientSide {
  /** Deadline (performance.now()) for progress; after it the owner must call `expired`. */
  deadline: number;
  readonly socket: Socket;
  /** Time of the last read while a body or a WebSocket passed. */
  readAt = 0;
  readonly #parts: RelayDeps;
  readonly #exchange: RelayedExchange;
  readonly #onGone: (visitor: ClientConnection) => void;
  readonly #stash = new Stash();
  readonly #finder = new HeadFinder();
  readonly #start = new BrokenStart();
  #phase: Phase = 'idle';
  #hasAsked = false;
  #hasHeadBegun = false;
  #hasSkippedLine = false;
  #isPaused = false;
  #isConsuming = false;
  /** Buffered requests wait for their turn. */
  #hasMore = false;
  /** The visitor has closed its sending side. */
  #hasEnded = false;

  constructor(socket: Socket, parts: RelayDeps, { peer, onGone }: { peer: Client; onGone: (visitor: ClientConnection) => void }) {
    this.socket = socket;
    this.#parts = parts;
    this.#onGone = onGone;
    this.#exchange = new RelayedExchange(this, parts, peer);
    this.deadline = performance.now() + parts.limits.headMs;
    socket.on('drain', () => this.#exchange.visitorDrains());
    socket.on('end', () => this.#ended());
    socket.on('finish', () => this.#phase === 'closing' && this.enter('closing', parts.limits.lingerMs));
    // 'close' follows every error.
    socket.on('error', () => undefined);
    socket.on('close', () => this.#closed());
  }

  /** No request is in progress. */
  get isIdle(): boolean {
    return this.#phase === 'idle';
  }

  /** The connection has served a request and has received no bytes since. */
  get isBetweenRequests(): boolean {
    return this.#phase === 'idle' && this.#hasAsked && !this.#hasHeadBegun;
  }

  get exchange(): RelayedExchange {
    return this.#exchange;
  }

  /** Receives the first bytes of a buffer that is reused. Returns whether to go on reading. */
  read(bytes: Buffer, count: number): boolean {
    const beganAt = this.#exchange.takesBytes ? performance.now() : 0;
    this.#isConsuming = true;
    try {
      if (this.#stash.length > 0) {
        this.#stash.add(bytes, 0, count);
        this.#readStash();
      } else {
        const used = this.#consume(bytes, 0, count);
        if (used < count) this.#stash.add(bytes, used, count);
      }
    } catch (err) {
      this.broke(err);
    }
    this.#isConsuming = false;
    this.#closeIfEnded();
    const waits = beganAt > 0 && readScheduler.end(this, beganAt);
    this.#isPaused = waits || !this.#mayRead();
    return !this.#isPaused;
  }

  goOn(): void {
    this.proceed();
  }

  /** Continues after a wait. */
  proceed(): void {
    // The caller that is consuming bytes already continues with them.
    if (this.#isConsuming) return;
    this.#isConsuming = true;
    try {
      this.#readStash();
    } catch (err) {
      this.broke(err);
    }
    this.#isConsuming = false;
    this.#closeIfEnded();
    if (!this.#isPaused || !this.#mayRead() || (this.#exchange.takesBytes && readScheduler.waits(this))) return;
    this.#isPaused = false;
    this.socket.resume();
  }

  enter(phase: Phase, ms: number): void {
    if (this.#phase === 'gone' || (this.#phase === 'closing' && phase !== 'closing')) return;
    this.#phase = phase;
    const limited = this.#hasEnded && phase !== 'spliced' ? Math.min(ms, this.#parts.limits.halfClosedMs) : ms;
    this.deadline = performance.now() + limited;
  }

  /** Ends sending; what still arrives is read and discarded for a moment, so that the visitor can read the response. */
  close(): void {
    if (this.#phase === 'gone') return;
    this.#stash.clear();
    this.enter('closing', this.#parts.limits.clientWriteMs);
    this.socket.end();
    this.socket.resume();
  }

  /** Handles an internal error of the gateway. */
  broke(err: unknown): void {
    this.#parts.log.error({ err, request_id: this.#exchange.asked.requestId }, 'request handling failed');
    try {
      if (this.#phase === 'closing' || !this.#exchange.sayInternal()) this.socket.destroy();
    } catch {
      this.socket.destroy(); // a broken connection cannot carry a response
    }
  }

  expired(): void {
    if (this.#phase === 'idle' && this.#hasHeadBegun) this.#exchange.intake.refuseHead('request_timed_out');
    else if (this.#phase === 'idle' || this.#phase === 'closing' || this.#phase === 'discarding') this.socket.destroy();
    // A half-closed visitor may be gone, and one that does not read would not receive a response.
    else if (this.#phase === 'writing' || (this.#hasEnded && this.#phase !== 'spliced')) this.socket.destroy();
    else onTimeout(this.#exchange, this.#phase);
  }

  /** Aborts the work in progress; a WebSocket is closed with the code. */
  abort(webSocketCode: number): void {
    if (this.#phase === 'spliced') this.#exchange.closeWebSocket(webSocketCode);
    else this.#exchange.cut();
  }

  #closeIfEnded(): void {
    if (this.#hasEnded && this.#phase === 'idle' && !this.socket.writableNeedDrain && !this.#hasMore) this.close();
  }

  #mayRead(): boolean {
    if (this.#phase === 'closing') return true;
    return this.#exchange.takesBytes ? !this.#exchange.isAgentFull : this.#stash.length < aheadBytes;
  }

  #readStash(): void {
    const { bytes, from, to } = this.#stash;
    if (from === to && !this.#exchange.takesBytes) return;
    const used = this.#consume(bytes, from, to);
    if (this.#stash.length > 0) this.#stash.dropTo(used);
  }

  /** Processes bytes [from, to) as far as possible; returns where it stopped. */
  #consume(bytes: Buffer, from: number, to: number): number {
    let at = from;
    for (let requests = 0; ; ) {
      if (this.#phase === 'closing' || this.#phase === 'gone') return to;
      if (this.#exchange.takesBytes) {
        at = this.#exchange.requestBytes(bytes, at, to);
        if (this.#exchange.takesBytes || at === to) return at;
      } else {
        if (this.#phase !== 'idle' || at === to || this.socket.writableNeedDrain) return at;
        if (requests === perTurn) return this.#later(at);
        requests += 1;
        const next = this.#readHead(bytes, at, to);
        if (next === at) return at;
        at = next;
      }
    }
  }

  #later(at: number): number {
    if (!this.#hasMore) setImmediate(() => this.#takeTurn());
    this.#hasMore = true;
    return at;
  }

  #takeTurn(): void {
    this.#hasMore = false;
    this.proceed();
  }

  /** Returns where the head ends, or `from` while it is incomplete. */
  #readHead(bytes: Buffer, from: number, to: number): number {
    // An empty line before a request is skipped, once (RFC 9112, 2.2).
    if (bytes[from] === CR && !this.#hasSkippedLine) {
      if (to - from === 1) return this.#waitForHead(from);
      if (bytes[from + 1] === LF) {
        this.#hasSkippedLine = true;
        return from + 2;
      }
    }
    const { limits } = this.#parts;
    const end = this.#finder.find(bytes, from, to);
    if ((end < 0 ? to : end) - from > limits.headBytes + 4) {
      const firstLine = bytes.subarray(from, from + limits.uriBytes + 32).indexOf(LF);
      this.#exchange.intake.refuseHead(firstLine < 0 ? 'uri_too_long' : 'headers_too_large');
      return to;
    }
    if (end < 0) {
      if (!this.#start.isBroken(bytes, from, to)) return this.#waitForHead(from);
      this.#exchange.intake.refuseHead('request_invalid');
      return to;
    }
    this.#hasAsked = true;
    this.#hasHeadBegun = false;
    this.#hasSkippedLine = false;
    this.#start.forget();
    this.#exchange.intake.ask(this.#finder.text);
    return end;
  }

  #waitForHead(from: number): number {
    if (!this.#hasHeadBegun) this.enter('idle', this.#parts.limits.headMs);
    this.#hasHeadBegun = true;
    return from;
  }

  /** The visitor half-closed or vanished: a completely received request is still answered, for a limited time. */
  #ended(): void {
    this.#hasEnded = true;
    this.#closeIfEnded();
    if (this.#phase === 'closing') return;
    if (!this.#exchange.visitorEnds(this.#stash.length)) this.socket.destroy();
    else if (this.#phase !== 'spliced') this.deadline = Math.min(this.deadline, performance.now() + this.#parts.limits.halfClosedMs);
  }

  #closed(): void {
    if (this.#phase === 'gone') return;
    this.#phase = 'gone';
    this.#stash.clear();
    this.#exchange.visitorGone();
    this.#onGone(this);
  }
}
