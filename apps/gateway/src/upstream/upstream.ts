import { connect, type Socket } from 'node:net';
import { Chunks, type DataTaker } from '../bodies/chunks.ts';
import { Stash } from '../bodies/stash.ts';
import { AnswerHead, readAnswerHead } from '../heads/answer-head.ts';
import { BrokenStart } from '../heads/broken-start.ts';
import { HeadFinder } from '../heads/head-finder.ts';
import type { Limits } from '../limits.ts';
import { readScheduler } from '../relay/read-scheduler.ts';
import type { Target } from '../routes/route.ts';

/** How an answer's body ends. */
export type BodyEnd = 'none' | 'length' | 'chunks' | 'close';

/** Receiver of a response. */
export interface ResponseSink {
  readonly method: string;
  readonly host: string;
  readonly asksForWebSocket: boolean;
  /**
   * The response's head, which the next one overwrites. Returns the wanted form of the body: 'framed' unchanged, 'plain' without chunk
   * sizes, or undefined if the exchange has ended.
   */
  answerBegins(head: AnswerHead, text: string, end: BodyEnd): 'framed' | 'plain' | undefined;
  /** Receiver of the body's bytes without framing. */
  readonly answerData: DataTaker | undefined;
  /** Bytes to forward, valid only during the call; `upstream.data` of them belong to the body itself. */
  answerBytes(bytes: Buffer, from: number, to: number): void;
  answerEnds(isReusable: boolean): void;
  /** No response, or no more of it, will arrive. */
  answerFails(why: string): void;
  /** The agent's socket has drained; more of the request can be sent. */
  agentDrains(): void;
  /** Bytes of a WebSocket. */
  agentSays(bytes: Buffer, from: number, to: number): void;
  agentHangsUp(): void;
  /** An internal error of the gateway occurred. */
  broke(err: unknown): void;
}

export interface UpstreamEvents {
  opened: () => void;
  /** Called once, when the connection has closed. */
  gone: (why: string) => void;
  /** Called when the gateway closes first; false: the connection is reset. */
  mayClose: () => boolean;
}

type Reading = 'head' | BodyEnd | 'web socket';

// Each read is processed before the next one begins, so one buffer serves all connections and one head all responses.
const shared = Buffer.allocUnsafeSlow(64 * 1024);
const answer = new AnswerHead();

/** A connection to an instance; it serves one exchange after the other. */
export class Upstream {
  readonly socket: Socket;
  /** True once a complete response has arrived: only then can a failure mean that the agent had closed an idle connection. */
  isReused = false;
  idleSince = 0;
  /** Time of the last read of a body or a WebSocket. */
  readAt = 0;
  /** The visitor network in whose share it counts. */
  holder: string | undefined;
  /** Bytes of the body itself among the last forwarded bytes. */
  data = 0;
  /** Whether the last forwarded bytes end the body. */
  isLast = false;
  #limits: Limits;
  #taker: ResponseSink | undefined;
  #reading: Reading = 'head';
  #left = 0;
  #chunks: Chunks | undefined;
  #isPersistent = false;
  #interim = 0;
  #isPaused = false;
  #stash: Stash | undefined;
  readonly #finder = new HeadFinder();
  readonly #start = new BrokenStart();
  #why = 'connection closed';
  readonly #events: UpstreamEvents;

  constructor(target: Target, limits: Limits, events: UpstreamEvents) {
    this.#limits = limits;
    this.#events = events;
    const onread = { buffer: shared, callback: (count: number) => this.#read(count) };
    this.socket = connect({ host: target.host, port: target.port, noDelay: true, onread });
    this.socket.on('connect', events.opened);
    this.socket.on('drain', () => this.#taker?.agentDrains());
    this.socket.on('end', () => this.#ended());
    this.socket.on('error', (error) => {
      this.#why = error.message;
    });
    this.socket.on('close', () => {
      this.#fail(this.#why);
      events.gone(this.#why);
    });
  }

  /** Sets the receiver of the next response. */
  ask(taker: ResponseSink): void {
    this.#taker = taker;
    this.#reading = 'head';
    this.#interim = 0;
  }

  /** Stops reading while the visitor does not read. */
  pause(): void {
    this.#isPaused = true;
    this.socket.pause();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    if (!readScheduler.waits(this)) this.socket.resume();
  }

  close(): void {
    this.#taker = undefined;
    // A socket that is not connected yet leaves no TIME_WAIT behind.
    if (this.socket.connecting || this.socket.destroyed || this.#events.mayClose()) this.socket.destroy();
    else this.socket.resetAndDestroy();
  }

  /** Ends the connection after written bytes have been sent, if the agent reads them in time; the response is discarded. */
  leave(): void {
    if (!this.#events.mayClose()) return this.close();
    this.#taker = undefined;
    this.socket.destroySoon();
    if (this.socket.destroyed) return;
    const timer = setTimeout(() => this.socket.destroy(), this.#limits.lingerMs);
    this.socket.once('close', () => clearTimeout(timer));
  }

  /** Returns whether to go on reading. An internal error ends only this exchange. */
  #read(count: number): boolean {
    const taker = this.#taker;
    const beganAt = this.#reading === 'head' ? 0 : performance.now();
    try {
      const goesOn = this.#take(count);
      return beganAt > 0 && readScheduler.end(this, beganAt) ? false : goesOn;
    } catch (error) {
      this.#taker = undefined;
      this.socket.destroy();
      taker?.broke(error);
      return false;
    }
  }

  goOn(): void {
    if (!this.#isPaused) this.socket.resume();
  }

  #take(count: number): boolean {
    const taker = this.#taker;
    // Unrequested bytes must not become the response to the next request.
    if (taker === undefined) this.socket.resetAndDestroy();
    else if (this.#reading === 'web socket') taker.agentSays(shared, 0, count);
    else if (this.#reading === 'head') this.#readHeads(taker, count);
    else this.#readBody(taker, shared, { from: 0, to: count });
    return !this.#isPaused;
  }

  /** Interim responses (1xx) are dropped; the gateway itself has sent the visitor its 100. */
  #readHeads(taker: ResponseSink, count: number): void {
    let bytes = shared;
    let from = 0;
    let to = count;
    if (this.#stash !== undefined) {
      this.#stash.add(shared, 0, count);
      ({ bytes, from, to } = this.#stash);
    }
    while (this.#reading === 'head') {
      const end = this.#finder.find(bytes, from, to);
      if ((end < 0 ? to : end) - from > this.#limits.answerHeadBytes + 4) return this.#break('head too long');
      // Bytes that cannot become a head are refused at once, instead of after the timeout.
      if (end < 0) return this.#start.isBroken(bytes, from, to) ? this.#break('not a head') : this.#keep(bytes, from, to);
      const problem = this.#readHead(taker, this.#finder.text);
      if (problem !== '') return this.#break(problem);
      if (this.#taker === undefined) return;
      from = end;
      this.#start.forget();
    }
    this.#stash = undefined;
    if (this.#reading === 'web socket') taker.agentSays(bytes, from, to);
    else this.#readBody(taker, bytes, { from, to });
  }

  #keep(bytes: Buffer, from: number, to: number): void {
    if (this.#stash === undefined) {
      this.#stash = new Stash();
      this.#stash.add(bytes, from, to);
    } else this.#stash.dropTo(from);
  }

  /** Returns what is wrong with the head, or ''. */
  #readHead(taker: ResponseSink, text: string): string {
    const problem = readAnswerHead(text, { limits: this.#limits, host: taker.host }, answer);
    if (problem !== '') return problem;
    if (answer.status === 101) {
      if (!taker.asksForWebSocket) return 'switched protocols unasked';
      this.#reading = 'web socket';
      return taker.answerBegins(answer, text, 'none') === undefined
        ? 'switched protocols, but not to the WebSocket that was asked for'
        : '';
    }
    if (answer.status < 200) {
      this.#interim += 1;
      return this.#interim > this.#limits.interimAnswers ? 'too many interim answers' : '';
    }
    const end = bodyEnd(taker.method);
    this.#reading = end;
    this.#left = end === 'length' ? answer.length : 0;
    // An agent may send a body where HTTP allows none (to HEAD, with 204 or 304): it must not become the response to the next request.
    this.#isPersistent =
      end !== 'close' && end !== 'none' && (answer.minor === 1 ? !answer.connection.hasClose : answer.connection.hasKeepAlive);
    const wanted = taker.answerBegins(answer, text, end);
    if (wanted === undefined) return '';
    if (end === 'chunks')
      this.#chunks = new Chunks({
        maxExtras: this.#limits.chunkExtraBytes,
        keepsFraming: wanted === 'framed',
        taker: taker.answerData,
      });
    return '';
  }

  #readBody(taker: ResponseSink, bytes: Buffer, { from, to }: { from: number; to: number }): void {
    let used = to - from;
    let kept = used;
    if (this.#chunks !== undefined) {
      used = this.#chunks.read(bytes, from, to);
      if (used < 0) return this.#break('broken chunks');
      ({ kept, data: this.data } = this.#chunks);
    } else {
      if (this.#reading !== 'close') used = Math.min(this.#left, used);
      this.#left -= used;
      kept = used;
      this.data = used;
      if (used > 0) taker.answerData?.(bytes, from, from + used);
    }
    const isOver = this.#isBodyOver();
    this.isLast = isOver;
    // More bytes than announced: the announced part is a complete response, but the connection cannot be reused.
    if (isOver && from + used < to) this.#isPersistent = false;
    taker.answerBytes(bytes, from, from + kept);
    if (isOver && this.#taker === taker) this.#end(this.#isPersistent);
  }

  #isBodyOver(): boolean {
    if (this.#reading === 'chunks') return this.#chunks!.isDone;
    return this.#reading !== 'close' && this.#left === 0;
  }

  #end(isReusable: boolean): void {
    const taker = this.#taker!;
    this.#forget();
    // Reading may be paused for a slow visitor; the next exchange must not inherit that.
    this.resume();
    taker.answerEnds(isReusable && !this.socket.destroyed);
  }

  #ended(): void {
    if (this.#reading === 'close' && this.#taker !== undefined) this.#end(false);
    else if (this.#reading === 'web socket') return this.#taker?.agentHangsUp();
    else if (this.#reading === 'head') this.#fail('closed without an answer');
    else this.#fail('closed inside the body');
    this.socket.destroy();
  }

  /** Fails on a violation of HTTP by the agent. A reset leaves no TIME_WAIT behind. */
  #break(why: string): void {
    this.#fail(why);
    this.socket.resetAndDestroy(); // no response is pending
  }

  #fail(why: string): void {
    const taker = this.#taker;
    this.#forget();
    taker?.answerFails(why);
  }

  #forget(): void {
    this.#taker = undefined;
    this.#chunks = undefined;
    this.#stash = undefined;
    this.#reading = 'head';
    this.#finder.forget();
    this.#start.forget();
  }
}

function bodyEnd(method: string): BodyEnd {
  if (method === 'HEAD' || answer.status === 204 || answer.status === 304) return 'none';
  if (answer.isChunked) return 'chunks';
  return answer.length < 0 ? 'close' : 'length';
}
