import { BROKEN } from '../bodies/chunks.ts';
import { type AnswerCode, answers } from '../pages/answers.ts';
import { type OwnAnswer, ownAnswerText } from '../pages/own-answer.ts';
import { pageFor, wantedForm } from '../pages/pages.ts';
import type { Route } from '../routes/route.ts';
import type { Hold } from '../taps/tap.ts';
import type { Upstream } from '../upstream/upstream.ts';
import { goingAway } from '../web-sockets/handshake.ts';
import { directionOf } from './admission.ts';
import { type AnsweredExchange, Answering } from './answering.ts';
import { AskedRequest, requestHead } from './asked.ts';
import { type AttemptEvents, Attempts } from './attempts.ts';
import type { Client } from './client-address.ts';
import { CurrentExchange } from './current-exchange.ts';
import { HeldRequest, heldWay } from './held-request.ts';
import type { RelayParts } from './parts.ts';
import type { Phase } from './phase.ts';
import { RequestOut } from './request-out.ts';
import type { VisitorSide } from './visitor-side.ts';

const nothing = Buffer.alloc(0);

/** The request of a connection on its way to an agent, and the answer on its way back; one after the other. */
export class RelayedExchange implements AnsweredExchange, AttemptEvents {
  readonly asked: AskedRequest;
  upstream: Upstream | undefined;
  hold: Hold | undefined;
  readonly #visitor: VisitorSide;
  readonly #parts: RelayParts;
  readonly #request = new RequestOut();
  readonly #answering: Answering;
  readonly #attempts: Attempts;
  #facts: CurrentExchange | undefined;
  /** It counts among those under way, for this deployment. */
  #countedFor: string | undefined;
  #keepsAlive = true;
  /** The route is being read once more. */
  #look: Promise<Route | undefined> | undefined;
  #isSending = false;
  #isDiscarding = false;
  #held: HeldRequest | undefined;

  constructor(visitor: VisitorSide, parts: RelayParts, peer: Client) {
    this.#visitor = visitor;
    this.#parts = parts;
    this.asked = new AskedRequest(parts.limits, parts.clients, peer);
    this.#answering = new Answering(this, visitor, parts);
    this.#attempts = new Attempts(this.asked, parts, { visitor, events: this });
  }

  /** Undefined while no agent is concerned. */
  get facts(): CurrentExchange | undefined {
    return this.#countedFor === undefined ? undefined : this.#facts;
  }

  /** Bytes of the visitor are for `requestBytes`, not the beginning of another request. */
  get takesBytes(): boolean {
    return this.#isSending || this.#isDiscarding || this.#held !== undefined || this.#answering.splice !== undefined;
  }

  get isAgentFull(): boolean {
    if (this.#held !== undefined || this.#isDiscarding) return false;
    return this.#answering.splice === undefined ? this.#request.isFull : (this.upstream?.socket.writableNeedDrain ?? false);
  }

  /** A whole head of a request, without the empty line at its end. */
  ask(text: string): void {
    const { asked } = this;
    const problem = asked.read(text);
    this.#keepsAlive = asked.keepsAlive && !this.#parts.isDraining();
    this.#request.body.begin(asked, { maxExtras: this.#parts.limits.chunkExtraBytes });
    if (problem !== '') return this.refuse(problem);
    const direction = directionOf(requestHead, this.#parts);
    if (typeof direction === 'string') return this.refuse(direction);
    if ('body' in direction) return this.#answer(direction);
    this.#request.way = { text: asked.upstreamText(), makesChunks: false };
    if (direction instanceof Promise) this.#lookAgain(direction);
    else this.#pass(direction);
  }

  /** What came is not a request; whatever follows it on the connection is not looked at. */
  refuseHead(code: AnswerCode): void {
    this.asked.clear();
    this.#keepsAlive = false;
    this.#request.body.begin(this.asked, { maxExtras: 0 });
    this.refuse(code);
  }

  #lookAgain(again: Promise<Route | undefined>): void {
    this.#look = again;
    this.#visitor.enter('looking', this.#parts.limits.databaseMs + 1_000);
    const go = (route: Route | undefined) => {
      // Another request may be looking for another route by now.
      if (this.#look !== again) return;
      this.#look = undefined;
      this.#pass(route);
    };
    again.then(go).catch((err: unknown) => this.#visitor.broke(err));
  }

  #pass(route: Route | undefined): void {
    const { asked } = this;
    const { limits, inFlight } = this.#parts;
    if (!route?.target || !route.deployment_id) return this.refuse(pageFor(route));
    if (asked.length > limits.bodyBytes) return this.refuse('body_too_large');
    if (asked.isWebSocket && asked.webSocketKey === undefined) return this.refuse('request_invalid');
    if (!inFlight.enter(route.deployment_id, asked.network, asked.isWebSocket)) return this.refuse('agent_busy');
    this.#countedFor = route.deployment_id;
    const facts = (this.#facts ??= new CurrentExchange(route, asked, this.#tapFailed));
    facts.begin(route);
    const { isWatched } = facts;
    this.#request.body.show(isWatched ? (bytes, from, to) => facts.sawRequest(bytes, from, to) : undefined);
    this.#answering.answerData = isWatched ? (bytes, from, to) => facts.sawAnswer(bytes, from, to) : undefined;
    const { hold } = route.taps;
    this.hold = hold === undefined || asked.isWebSocket ? undefined : hold.hold!(facts);
    if (this.hold === undefined) this.#attempts.begin(route);
    else this.#holdRequest(this.hold, route);
  }

  #holdRequest(hold: Hold, route: Route): void {
    const { asked } = this;
    const { limits } = this.#parts;
    const hasBody = !this.#request.body.isWhole;
    const whole = hasBody && hold.request?.kind === 'whole' ? hold.request : undefined;
    const way = heldWay(asked, hasBody ? hold : { ...hold, request: undefined });
    if (way.isPlain) this.#request.body.begin(asked, { maxExtras: limits.chunkExtraBytes, isPlain: true });
    if (way.isPlain && this.#facts!.isWatched) this.#request.body.show((bytes, from, to) => this.#facts!.sawRequest(bytes, from, to));
    this.#request.way = way;
    if (whole === undefined) return this.#attempts.begin(route);
    this.#held = new HeldRequest(whole, this.#facts!, {
      pass: (body) => {
        this.#held = undefined;
        this.#request.way = { ...way, prepared: body };
        this.#attempts.begin(route);
      },
      decided: (body) => {
        this.#held = undefined;
        const text = asked.heldText({ isChunked: false, length: body.length }, way.dropped);
        this.#request.way = { text, makesChunks: false, prepared: body };
        this.#attempts.begin(route);
      },
      refuse: (code) => this.refuse(code),
    });
    this.#visitor.enter('sending', limits.bodyIdleMs);
  }

  trying(route: Route): void {
    this.#facts!.route = route;
  }

  connected(upstream: Upstream): void {
    this.upstream = upstream;
    this.#isSending = true;
    this.#request.begin(upstream, this.#tailEvents);
    upstream.ask(this.#answering);
    this.#visitor.enter('sending', this.#parts.limits.bodyIdleMs);
    this.#visitor.proceed();
  }

  readonly #tapFailed = (err: unknown) =>
    this.#parts.log.error({ err, deployment_id: this.#countedFor, request_id: this.asked.requestId }, 'a tap failed');

  readonly #tailEvents = {
    fail: () => this.refuse('policy_failed'),
    resume: () => this.agentDrains(),
  };

  /** Takes what belongs to the present request; returns where it stopped. */
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
    if (this.#held !== undefined) {
      if (isWhole) this.#held.finish();
      else this.#visitor.enter('sending', limits.bodyIdleMs);
      if (isWhole && this.#held !== undefined) this.#visitor.enter('deciding', limits.holdMs);
      return;
    }
    if (this.upstream === undefined) return;
    // A held body that may pass can find a kept connection at once: nothing has left yet.
    if (!this.#request.hasBegun) this.#request.take(nothing, 0, 0);
    this.#isSending = !isWhole;
    // The agent may answer before it has everything.
    if (this.#facts!.status !== 0) return;
    // While the agent takes nothing it is the agent that everybody waits for.
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

  /** The visitor says no more than the bytes at hand. Returns false if it has not said all of the request. */
  visitorEnds(atHand: number): boolean {
    if (this.#answering.splice !== undefined) this.upstream?.socket.end();
    const { body } = this.#request;
    return !body.wantsMoreThan(atHand) && (!this.#isSending || body.isWhole || atHand > 0);
  }

  visitorGone(): void {
    this.#isDiscarding = false;
    if (this.#answering.splice !== undefined) {
      // What the visitor said last still reaches the agent.
      this.upstream?.leave();
      this.upstream = undefined;
    }
    this.#dropAgent();
    this.#finish();
  }

  expired(phase: Phase): void {
    switch (phase) {
      case 'looking':
        return this.refuse('agent_starting');
      case 'queued':
        return this.refuse('agent_busy');
      case 'connecting':
        this.#dropAgent();
        return this.#attempts.again('unreachable', 'no connection in time');
      case 'sending':
        return this.refuse(this.isAgentFull ? 'agent_timed_out' : 'request_timed_out');
      case 'deciding':
        return this.refuse('policy_failed');
      case 'waiting':
        return this.refuse('agent_timed_out');
      case 'answering':
        return this.cutOff('silent in the middle of an answer');
      case 'spliced':
        return this.closeWebSocket(goingAway);
      default:
        this.#visitor.socket.destroy();
    }
  }

  /** A fault of the gateway's own. Returns false if an answer has begun, so that nothing can be said any more. */
  sayInternal(): boolean {
    if (this.#answering.hasBegun || this.#answering.splice !== undefined) return false;
    this.#keepsAlive = false;
    this.refuse('internal');
    return true;
  }

  /** Cuts what is under way. */
  cut(): void {
    const { facts } = this;
    if (facts !== undefined && facts.status !== 0) facts.isUpstreamError = true;
    this.#visitor.socket.destroy();
  }

  closeWebSocket(code: number): void {
    this.#answering.splice?.close(code);
    this.#visitor.enter('closing', this.#parts.limits.farewellMs);
  }

  /** The visitor has part of the answer already: all that can still be said is that it is not whole. */
  cutOff(why: string): void {
    const facts = this.#facts!;
    facts.isUpstreamError = true;
    this.#parts.log.debug({ why, deployment_id: facts.deploymentId, request_id: facts.requestId }, 'answer cut off');
    this.#visitor.socket.destroy();
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
    const isSent = this.#request.isSent;
    this.#request.stop();
    if (this.asked.isWebSocket) upstream.close();
    else this.#parts.pools.release(upstream, isReusable && isSent);
  }

  /** Ends the exchange with an answer of the gateway's own. */
  refuse(code: AnswerCode): void {
    // In the middle of an answer a page would look like part of it.
    if (this.#answering.hasBegun) return this.cutOff(code);
    this.#dropAgent();
    const { status } = answers[code];
    const { facts } = this;
    if (facts !== undefined) {
      facts.status = status;
      facts.isUpstreamError = status >= 500;
    }
    if (status === 400 || status === 408 || status === 413) this.#keepsAlive = false;
    const { asked } = this;
    this.#answer(this.#parts.renderPage(code, wantedForm(asked.header('accept')), asked));
  }

  #answer(answer: OwnAnswer): void {
    const { asked } = this;
    // Who waits for '100 Continue' may send its body now or never: nobody could tell where the next request begins.
    if (asked.awaitsContinue && !this.#request.body.isWhole) this.#keepsAlive = false;
    const keptOpen = asked.minor === 1 ? undefined : 'keep-alive';
    const connection = this.#keepsAlive ? keptOpen : 'close';
    this.#visitor.socket.write(ownAnswerText(answer, { isHead: asked.method === 'HEAD', connection }));
    this.over(this.#keepsAlive);
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
    this.#look = undefined;
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
