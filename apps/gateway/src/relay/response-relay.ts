import type { DataTaker } from '../bodies/chunks.ts';
import { AnswerHead, readAnswerHead } from '../heads/answer-head.ts';
import { switchHead } from '../heads/visitor-head.ts';
import type { ResponseCode } from '../pages/own-responses.ts';
import type { Hold } from '../taps/tap.ts';
import type { BodyEnd, ResponseSink, Upstream } from '../upstream/upstream.ts';
import { isSwitchFor } from '../web-sockets/handshake.ts';
import { Splice } from '../web-sockets/splice.ts';
import { BufferedResponse } from './buffered-response.ts';
import type { ClientSide } from './client-side.ts';
import type { CurrentExchange } from './current-exchange.ts';
import type { ParsedRequest } from './parsed-request.ts';
import type { RelayDeps } from './relay-deps.ts';
import { ResponseWriter } from './response-writer.ts';

/** The exchange, as used by its response. */
export interface RelayExchange {
  readonly asked: ParsedRequest;
  readonly facts: CurrentExchange | undefined;
  readonly upstream: Upstream | undefined;
  readonly hold: Hold | undefined;
  /** The agent's response is complete; the visitor may still be receiving it. */
  releaseUpstream(isReusable: boolean): void;
  /** The visitor has received everything, or its connection will deliver the rest. */
  over(keepsAlive: boolean): void;
  refuse(code: ResponseCode, detail?: string): void;
  failed(why: string): void;
  cutOff(why: string): void;
  agentDrains(): void;
}

// For responses that are parsed again after they were held.
const heldHead = new AnswerHead();

/** An exchange's response on its way from the agent to the visitor. */
export class ResponseRelay implements ResponseSink {
  answerData: DataTaker | undefined;
  readonly #exchange: RelayExchange;
  readonly #visitor: ClientSide;
  readonly #parts: RelayDeps;
  readonly #out: ResponseWriter;
  #keepsAlive = true;
  #splice: Splice | undefined;
  #held: BufferedResponse | undefined;

  constructor(exchange: RelayExchange, visitor: ClientSide, parts: RelayDeps) {
    this.#exchange = exchange;
    this.#visitor = visitor;
    this.#parts = parts;
    this.#out = new ResponseWriter(visitor.socket);
  }

  get method(): string {
    return this.#exchange.asked.method;
  }

  get host(): string {
    return this.#exchange.asked.host;
  }

  get asksForWebSocket(): boolean {
    return this.#exchange.asked.isWebSocket;
  }

  get splice(): Splice | undefined {
    return this.#splice;
  }

  /** The visitor has received part of the agent's response. */
  get hasBegun(): boolean {
    const { facts } = this.#exchange;
    return facts !== undefined && facts.status !== 0 && !this.#out.isUnsent && !this.#held?.isUnsent;
  }

  forget(): void {
    this.#splice = undefined;
    this.#held?.stop();
    this.#held = undefined;
    this.#out.forget();
  }

  answerBegins(answer: AnswerHead, text: string, end: BodyEnd): 'framed' | 'plain' | undefined {
    if (answer.status === 101) return this.#switch(answer, text);
    const facts = this.#exchange.facts!;
    facts.status = answer.status;
    facts.answerText = text;
    if (answer.isEventStream) facts.stopWatch();
    facts.answerBegan();
    const hold = end === 'none' ? undefined : this.#exchange.hold?.answer?.(facts);
    if (hold === undefined) return this.#begin(answer, end);
    this.#held = new BufferedResponse(hold, facts, {
      ends: () => facts.answerEnds(),
      begin: (length, isDecoded) => this.#beginHeld(length, isDecoded === true),
      pass: (bytes, from, to) => this.#out.bytes(bytes, from, to),
      end: () => this.#over(),
      refuse: (code, detail) => this.#exchange.refuse(code, detail),
      fail: (why) => this.#exchange.cutOff(why),
      // The change may be fast while the visitor is slow.
      resume: () => this.#visitor.socket.writableNeedDrain || this.#exchange.upstream?.resume(),
    });
    return 'plain';
  }

  #begin(answer: AnswerHead, end: BodyEnd): 'framed' | 'plain' {
    const { asked } = this.#exchange;
    const { form, keepsAlive } = this.#out.begin(answer, end, {
      minor: asked.minor,
      keepsAlive: asked.keepsAlive && !this.#parts.isDraining(),
      requestId: asked.requestId,
      traceId: asked.traceId,
    });
    this.#keepsAlive = keepsAlive;
    return form;
  }

  /** The head of a held response: its body was replaced, or has another framing. */
  #beginHeld(length: number | undefined, isDecoded: boolean): void {
    readAnswerHead(this.#exchange.facts!.answerText, { limits: this.#parts.limits, host: this.host }, heldHead);
    heldHead.dropForChange(isDecoded);
    heldHead.length = length ?? -1;
    this.#begin(heldHead, length === undefined ? 'close' : 'length');
  }

  answerBytes(bytes: Buffer, from: number, to: number): void {
    const { facts, upstream } = this.#exchange;
    facts!.bytesOut += upstream!.data;
    const { limits } = this.#parts;
    if (upstream!.isLast && this.#held === undefined) facts!.answerEnds();
    if (this.#held !== undefined) this.#held.take(bytes, from, to);
    else this.#out.bytes(bytes, from, to);
    // A hold may have refused it, and the visitor may have sent another request already.
    if (this.#exchange.upstream !== upstream) return;
    const isVisitorFull = this.#visitor.socket.writableNeedDrain;
    if (isVisitorFull || this.#held?.isFull) upstream!.pause();
    if (isVisitorFull) this.#visitor.enter('writing', limits.clientWriteMs);
    else this.#visitor.enter('answering', limits.answerIdleMs);
  }

  answerEnds(isReusable: boolean): void {
    this.#exchange.releaseUpstream(isReusable);
    this.#exchange.facts!.stopWatch();
    if (this.#held === undefined) return this.#over();
    this.#visitor.enter('deciding', this.#parts.limits.holdMs);
    this.#held.finish();
  }

  #over(): void {
    this.#exchange.facts?.answerEnds();
    this.#out.end();
    this.#held = undefined;
    this.#exchange.over(this.#keepsAlive);
  }

  answerFails(why: string): void {
    const facts = this.#exchange.facts!;
    if (this.#splice !== undefined) {
      this.#visitor.socket.destroySoon();
      return;
    }
    const { hasBegun } = this;
    this.#held?.stop();
    this.#held = undefined;
    this.#out.forget();
    if (hasBegun) return this.#exchange.cutOff(why);
    facts.status = 0;
    facts.answeredAt = 0;
    this.#exchange.failed(why);
  }

  agentDrains(): void {
    this.#exchange.agentDrains();
  }

  /** The visitor is ready to receive more. */
  visitorDrains(): void {
    const { upstream, facts } = this.#exchange;
    if (upstream === undefined) return;
    if (this.#splice === undefined && facts!.status !== 0) this.#visitor.enter('answering', this.#parts.limits.answerIdleMs);
    if (!this.#held?.isFull) upstream.resume();
  }

  #switch(answer: AnswerHead, text: string): 'framed' | undefined {
    const { asked, facts, upstream } = this.#exchange;
    if (!isSwitchFor(asked.webSocketKey!, answer, text)) return undefined;
    const { socket } = this.#visitor;
    facts!.status = 101;
    facts!.answerText = text;
    facts!.stopWatch();
    facts!.answerBegan();
    socket.write(switchHead(answer, asked), 'latin1');
    this.#splice = new Splice(socket, upstream!.socket);
    this.#visitor.enter('spliced', this.#parts.limits.webSocketIdleMs);
    this.#visitor.proceed();
    return 'framed';
  }

  visitorSays(bytes: Buffer, from: number, to: number): void {
    this.#exchange.facts!.bytesIn += to - from;
    this.#splice!.fromVisitor(bytes, from, to);
    this.#visitor.enter('spliced', this.#parts.limits.webSocketIdleMs);
  }

  agentSays(bytes: Buffer, from: number, to: number): void {
    this.#exchange.facts!.bytesOut += to - from;
    this.#splice!.fromAgent(bytes, from, to);
    if (this.#visitor.socket.writableNeedDrain) this.#exchange.upstream!.pause();
    this.#visitor.enter('spliced', this.#parts.limits.webSocketIdleMs);
  }

  agentHangsUp(): void {
    this.#visitor.socket.end();
  }

  broke(err: unknown): void {
    this.#visitor.broke(err);
  }
}
