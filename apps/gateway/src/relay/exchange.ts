import { BROKEN } from '../bodies/chunks.ts';
import { type OwnAnswer, ownAnswerText } from '../pages/own-answer.ts';
import { ownResponses, type ResponseCode } from '../pages/own-responses.ts';
import { wantedForm } from '../pages/pages.ts';
import type { Route } from '../routes/route.ts';
import type { Hold, Refusal } from '../taps/tap.ts';
import type { Upstream } from '../upstream/upstream.ts';
import { type AttemptEvents, Attempts } from './attempts.ts';
import { type BufferedRequest, bufferRequest } from './buffered-request.ts';
import type { Client } from './client-address.ts';
import type { ClientSide } from './client-side.ts';
import { CurrentExchange } from './current-exchange.ts';
import { ParsedRequest } from './parsed-request.ts';
import type { RelayDeps } from './relay-deps.ts';
import { type RequestEvents, RequestReader } from './request-reader.ts';
import { RequestWriter } from './request-writer.ts';
import { type RelayExchange, ResponseRelay } from './response-relay.ts';

const nothing = Buffer.alloc(0);

/** A connection's request on its way to an agent, and the response on its way back; one after the other. */
export class RelayedExchange implements RelayExchange, RequestEvents, AttemptEvents {
  readonly asked: ParsedRequest;
  readonly intake: RequestReader;
  upstream: Upstream | undefined;
  hold: Hold | undefined;
  readonly #visitor: ClientSide;
  readonly #parts: RelayDeps;
  readonly #request = new RequestWriter();
  readonly #answering: ResponseRelay;
  readonly #attempts: Attempts;
  #facts: CurrentExchange | undefined;
  /** The deployment for which the exchange is counted as in progress. */
  #countedFor: string | undefined;
  #isSending = false;
  #isDiscarding = false;
  #held: BufferedRequest | undefined;

  constructor(visitor: ClientSide, parts: RelayDeps, peer: Client) {
    this.#visitor = visitor;
    this.#parts = parts;
    this.asked = new ParsedRequest(parts.limits, parts.clients, peer);
    this.#answering = new ResponseRelay(this, visitor, parts);
    this.intake = new RequestReader({ asked: this.asked, request: this.#request }, parts, { visitor, events: this });
    this.#attempts = new Attempts(this.asked, parts, { visitor, events: this });
  }

  /** Undefined while no agent is involved. */
  get facts(): CurrentExchange | undefined {
    return this.#countedFor === undefined ? undefined : this.#facts;
  }

  /** The visitor's bytes are for `requestBytes`, not the beginning of another request. */
  get takesBytes(): boolean {
    return this.#isSending || this.#isDiscarding || this.#held !== undefined || this.#answering.splice !== undefined;
  }

  get isAgentFull(): boolean {
    if (this.#held !== undefined || this.#isDiscarding) return false;
    return this.#answering.splice === undefined ? this.#request.isFull : (this.upstream?.socket.writableNeedDrain ?? false);
  }

  begin(route: Route): void {
    const { asked } = this;
    if (!this.#parts.inFlight.enter(route.deployment_id!, asked.network, asked.isWebSocket)) return this.refuse('agent_busy');
    this.#countedFor = route.deployment_id!;
    const facts = (this.#facts ??= new CurrentExchange(route, asked, this.#tapFailed));
    facts.begin(route);
    const { refusal } = facts;
    if (refusal !== '') return this.refuse(refusal);
    this.#request.way = { text: asked.upstreamText(), makesChunks: false };
    this.#request.body.show(facts.requestWatcher);
    this.#answering.answerData = facts.answerWatcher;
    const { hold } = route.taps;
    this.hold = hold === undefined || asked.isWebSocket ? undefined : hold.hold!(facts);
    const go = () => {
      this.#held = undefined;
      this.#attempts.begin(route);
    };
    if (this.hold !== undefined) {
      const refuse = (code: ResponseCode, detail?: string) => this.refuse(code, detail);
      this.#held = bufferRequest(this.hold, { asked, request: this.#request, facts, limits: this.#parts.limits, go, refuse });
    }
    if (this.#held === undefined) go();
    else this.#visitor.enter('sending', this.#parts.limits.bodyIdleMs);
  }

  trying(route: Route): void {
    this.#facts!.route = route;
  }

  connected(upstream: Upstream): void {
    this.upstream = upstream;
    this.#isSending = true;
    this.#facts!.forwards();
    this.#request.begin(upstream, this.#tailEvents);
    upstream.ask(this.#answering);
    this.#visitor.enter('sending', this.#parts.limits.bodyIdleMs);
    this.#visitor.proceed();
  }

  readonly #tapFailed = (err: unknown) =>
    this.#parts.log.error({ err, deployment_id: this.#countedFor, request_id: this.asked.requestId }, 'a tap failed');

  readonly #tailEvents = {
    fail: (_why: string, refusal?: Refusal) =>
      refusal === undefined ? this.refuse('policy_failed') : this.refuse('blocked_by_policy', refusal.message),
    resume: () => this.agentDrains(),
  };

  /** Consumes bytes of the current request; returns where it stopped. */
  requestBytes(bytes: Buffer, from: number, to: number): number {
    if (this.#answering.splice !== undefined) {
      this.#answering.visitorSays(bytes, from, to);
      return to;
    }
    if (this.#isDiscarding) return this.#discard(bytes, from, to);
    if (this.asked.awaitsContinue) this.#visitor.socket.write('HTTP/1.1 100 Continue\r\n\r\n', 'latin1');
    this.asked.awaitsContinue = false;
    const { body } = this.#request;
    body.data = 0;
    const used = this.#held === undefined ? this.#request.take(bytes, from, to) : this.#held.take(body, { bytes, from, to });
    const facts = this.#facts!;
    if (used !== BROKEN) facts.bytesIn += body.data;
    if (used === BROKEN || facts.bytesIn > this.#parts.limits.bodyBytes) {
      this.refuse(used === BROKEN ? 'request_invalid' : 'body_too_large');
      return to;
    }
    this.#afterBytes();
    return from + used;
  }

  #afterBytes(): void {
    const { limits } = this.#parts;
    const isWhole = this.#request.body.isWhole;
    if (isWhole && this.#facts!.hasBody) this.#facts!.requestEnds();
    if (this.#held !== undefined) {
      if (isWhole) this.#held.finish();
      else this.#visitor.enter('sending', limits.bodyIdleMs);
      if (isWhole && this.#held !== undefined) this.#visitor.enter('deciding', limits.holdMs);
      return;
    }
    if (this.upstream === undefined) return;
    // A held body that may pass can use a kept connection at once: nothing was sent yet.
    if (!this.#request.hasBegun) this.#request.take(nothing, 0, 0);
    this.#isSending = !isWhole;
    // The agent may respond before it has the whole request.
    if (this.#facts!.status !== 0) return;
    // While the agent reads nothing, the deadline is the agent's.
    if (this.#isSending) this.#visitor.enter('sending', this.#request.isFull ? limits.firstByteMs : limits.bodyIdleMs);
    else this.#visitor.enter('waiting', limits.firstByteMs);
  }

  agentDrains(): void {
    if (this.#isSending && this.#facts!.status === 0) this.#visitor.enter('sending', this.#parts.limits.bodyIdleMs);
    this.#visitor.proceed();
  }

  visitorDrains(): void {
    this.#answering.visitorDrains();
    this.#visitor.proceed();
  }

  /** The visitor sends no more than the buffered bytes. Returns false if its request is incomplete. */
  visitorEnds(atHand: number): boolean {
    if (this.#answering.splice !== undefined) this.upstream?.socket.end();
    const { body } = this.#request;
    return !body.wantsMoreThan(atHand) && (!this.#isSending || body.isWhole || atHand > 0);
  }

  visitorGone(): void {
    this.#isDiscarding = false;
    if (this.#answering.splice !== undefined) {
      // The visitor's last bytes still reach the agent.
      this.upstream?.leave();
      this.upstream = undefined;
    }
    this.#dropAgent();
    this.#finish();
  }

  /** The agent accepted no connection. */
  connectAgain(why: string): void {
    this.#dropAgent();
    this.#attempts.again('unreachable', why);
  }

  /** Responds with an internal error. Returns false if a response has begun, so that nothing can be sent any more. */
  sayInternal(): boolean {
    if (this.#answering.hasBegun || this.#answering.splice !== undefined) return false;
    this.intake.keepsAlive = false;
    this.refuse('internal');
    return true;
  }

  /** Aborts the exchange. */
  cut(): void {
    const { facts } = this;
    if (facts !== undefined && facts.status !== 0) facts.isUpstreamError = true;
    this.#visitor.socket.destroy();
  }

  closeWebSocket(code: number): void {
    this.#answering.splice?.close(code);
    this.#visitor.enter('closing', this.#parts.limits.farewellMs);
  }

  /** The visitor has part of the response already: the connection is cut to show that it is incomplete. */
  cutOff(why: string): void {
    const facts = this.#facts!;
    facts.isUpstreamError = true;
    this.#parts.log.debug({ why, deployment_id: facts.deploymentId, request_id: facts.requestId }, 'answer cut off');
    // To an HTTP/1.0 client a clean end is the end of a complete response.
    if (this.asked.minor === 0) this.#visitor.socket.resetAndDestroy();
    else this.#visitor.socket.destroy();
  }

  failed(why: string): void {
    this.upstream = undefined;
    this.#isSending = false;
    this.#request.stop();
    this.#attempts.again('broken', why);
  }

  releaseUpstream(isReusable: boolean): void {
    const upstream = this.upstream!;
    this.upstream = undefined;
    this.#isSending = false;
    // An agent that responds without reading the body parses it as its next request, and the gateway cannot see whether it was read.
    const mayServeOthers = isReusable && this.#request.isSent && !this.asked.hasBody;
    this.#request.stop();
    this.#parts.pools.release(upstream, mayServeOthers);
  }

  /** Ends the exchange with a response of the gateway's own; `detail` adds to the code's text. */
  refuse(code: ResponseCode, detail?: string): void {
    // In the middle of a response a page would look like part of it.
    if (this.#answering.hasBegun) return this.cutOff(code);
    this.#dropAgent();
    const { status } = ownResponses[code];
    this.facts?.refused(code, status);
    if (status === 400 || status === 408 || status === 413) this.intake.keepsAlive = false;
    const { asked } = this;
    const { requestId, traceId, host } = asked;
    this.answer(this.#parts.renderPage(code, wantedForm(asked.header('accept')), { requestId, traceId, host, detail }));
  }

  answer(answer: OwnAnswer): void {
    const { asked } = this;
    // A client that waits for '100 Continue' may or may not send its body now, so the start of its next request would be unknown.
    if (asked.awaitsContinue && !this.#request.body.isWhole) this.intake.keepsAlive = false;
    const keptOpen = asked.minor === 1 ? undefined : 'keep-alive';
    const connection = this.intake.keepsAlive ? keptOpen : 'close';
    this.#visitor.socket.write(ownAnswerText(answer, { isHead: asked.method === 'HEAD', connection }));
    this.over(this.intake.keepsAlive);
  }

  over(keepsAlive: boolean): void {
    this.#finish();
    const { limits } = this.#parts;
    if (!keepsAlive) return this.#visitor.close();
    this.#isDiscarding = !this.#request.body.isWhole;
    if (this.#isDiscarding) this.#visitor.enter('discarding', limits.lingerMs);
    else this.#visitor.enter('idle', this.#visitor.socket.writableLength > 0 ? limits.clientWriteMs : limits.keepAliveMs);
    this.#visitor.proceed();
  }

  #discard(bytes: Buffer, from: number, to: number): number {
    const { body } = this.#request;
    const used = body.take(bytes, from, to);
    if (used === BROKEN) {
      this.#visitor.close();
      return to;
    }
    this.#isDiscarding = !body.isWhole;
    if (!this.#isDiscarding) this.#visitor.enter('idle', this.#parts.limits.keepAliveMs);
    return from + used;
  }

  #dropAgent(): void {
    this.intake.stop();
    this.#isSending = false;
    this.#held?.stop();
    this.#held = undefined;
    this.#attempts.stop();
    this.upstream?.close();
    this.upstream = undefined;
    this.#request.stop();
    this.#answering.forget();
  }

  #finish(): void {
    if (this.#countedFor === undefined) return;
    this.#parts.inFlight.leave(this.#countedFor, this.asked.network, this.asked.isWebSocket);
    this.#countedFor = undefined;
    this.#facts!.end();
    this.hold = undefined;
    this.#request.forget();
  }
}
