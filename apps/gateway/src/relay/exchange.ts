import type { Socket } from 'node:net';
import { networkOf } from '@paddock/network';
import { BROKEN, type DataTaker } from '../bodies/chunks.ts';
import { RequestBody } from '../bodies/request-body.ts';
import type { AnswerHead } from '../heads/answer-head.ts';
import { headerValue } from '../heads/header-value.ts';
import { newRequestId } from '../heads/random-hex.ts';
import { RequestHead, readRequestHead } from '../heads/request-head.ts';
import { forwardingLines, traceparentFor, upstreamHead } from '../heads/upstream-head.ts';
import { switchHead } from '../heads/visitor-head.ts';
import { type AnswerCode, answers } from '../pages/answers.ts';
import { type OwnAnswer, ownAnswerText } from '../pages/own-answer.ts';
import { pageFor, wantedForm } from '../pages/pages.ts';
import type { Route } from '../routes/route.ts';
import type { Asker, FailureKind } from '../upstream/pool.ts';
import type { BodyEnd, Taker, Upstream } from '../upstream/upstream.ts';
import { goingAway, isSwitchFor, webSocketKey } from '../web-sockets/handshake.ts';
import { Splice } from '../web-sockets/splice.ts';
import { directionOf } from './admission.ts';
import { AnswerOut } from './answer-out.ts';
import type { Client } from './client-address.ts';
import { CurrentExchange } from './current-exchange.ts';
import { nextTry, repeatable } from './next-try.ts';
import type { RelayParts } from './parts.ts';
import type { Phase } from './phase.ts';
import { type Piece, send } from './send.ts';

/** The visitor's connection, as its exchange sees it. */
export interface VisitorSide {
  readonly socket: Socket;
  enter(phase: Phase, ms: number): void;
  /** Something that the connection waited for is there: it goes on with the bytes at hand. */
  proceed(): void;
  close(): void;
  broke(err: unknown): void;
}

// A head is dealt with before the next one is read, so one serves all connections.
const head = new RequestHead();

/** The request of a connection on its way to an agent, and the answer on its way back; one after the other. */
export class RelayedExchange implements Asker, Taker {
  method = '';
  host = '';
  network: string;
  asksForWebSocket = false;
  answerData: DataTaker | undefined;
  readonly #visitor: VisitorSide;
  readonly #parts: RelayParts;
  readonly #peer: Client;
  readonly #peerNetwork: string;
  readonly #peerForwarding: string;
  readonly #body = new RequestBody();
  readonly #out: AnswerOut;
  #facts: CurrentExchange | undefined;
  #client: Client;
  #requestId = '';
  #requestText = '';
  #minor = 1;
  #keepsAlive = true;
  #awaitsContinue = false;
  #webSocketKey: string | undefined;
  /** The head that the agent receives, kept for another try. */
  #upstreamText = '';
  #upstream: Upstream | undefined;
  /** It counts among those under way. */
  #isCounted = false;
  #isDiscarding = false;
  #isHeadSent = false;
  #isSending = false;
  #isLooking = false;
  /** A connection being made that will serve this visitor alone. */
  #alone: Upstream | undefined;
  #countedFor = '';
  #isRepeatable = false;
  #asked = { target: '', traceparent: '', length: -1 };
  #tried = 0;
  #wasKept = false;
  #retryTimer: NodeJS.Timeout | undefined;
  #splice: Splice | undefined;

  constructor(visitor: VisitorSide, parts: RelayParts, peer: Client) {
    this.#visitor = visitor;
    this.#parts = parts;
    this.#peer = peer;
    this.#client = peer;
    this.#peerNetwork = networkOf(peer.address);
    this.network = this.#peerNetwork;
    this.#peerForwarding = forwardingLines(peer);
    this.#out = new AnswerOut(visitor.socket);
  }

  get facts(): CurrentExchange | undefined {
    return this.#isCounted ? this.#facts : undefined;
  }

  /** A request that already failed on a kept connection gets a new one. */
  get mayRepeat(): boolean {
    return this.#isRepeatable && this.#tried === 1;
  }

  /** Bytes of the visitor are for `requestBytes`, not the beginning of another request. */
  get takesBytes(): boolean {
    return this.#isSending || this.#isDiscarding || this.#splice !== undefined;
  }

  get isAgentFull(): boolean {
    return this.#upstream?.socket.writableNeedDrain ?? false;
  }

  /** A whole head of a request, without the empty line at its end. */
  ask(text: string): void {
    const problem = readRequestHead(text, this.#parts.limits, head);
    if (problem !== '') return this.refuseHead(problem);
    this.#requestText = text;
    this.method = head.method;
    this.host = head.host;
    this.#minor = head.minor;
    const { connection } = head;
    this.#keepsAlive = !this.#parts.isDraining() && (head.minor === 1 ? !connection.hasClose : connection.hasKeepAlive);
    this.#awaitsContinue = head.expects !== '' && head.minor === 1;
    this.#body.begin(head, { maxExtras: this.#parts.limits.chunkExtraBytes });
    this.#isRepeatable = this.#body.isWhole && repeatable.has(head.method);
    this.#readClient(text);
    const direction = directionOf(head, this.#parts);
    if (typeof direction === 'string') return this.#refuse(direction);
    if ('body' in direction) return this.#answer(direction);
    this.asksForWebSocket = head.upgrade === 'websocket';
    // A connection that might have become a WebSocket serves no other request.
    if (this.asksForWebSocket) this.#keepsAlive = false;
    this.#webSocketKey = this.asksForWebSocket ? webSocketKey(head, text) : undefined;
    const traceparent = traceparentFor(head);
    this.#upstreamText = upstreamHead(head, this.#client, {
      forwarding: this.#client === this.#peer ? this.#peerForwarding : forwardingLines(this.#client),
      requestId: this.#requestId,
      traceparent,
      isWebSocket: this.asksForWebSocket,
    });
    this.#asked = { target: head.target, traceparent, length: head.length };
    if (direction instanceof Promise) this.#lookAgain(direction);
    else this.#pass(direction);
  }

  /** What came is not a request; whatever follows it on the connection is not looked at. */
  refuseHead(code: AnswerCode): void {
    this.method = '';
    this.host = '';
    this.#requestText = '';
    this.#requestId = newRequestId();
    this.#minor = 1;
    this.#keepsAlive = false;
    head.clear();
    this.#body.begin(head, { maxExtras: 0 });
    this.#refuse(code);
  }

  #readClient(text: string): void {
    const { clients } = this.#parts;
    if (!clients.isTrusted(this.#peer.address)) {
      this.#requestId = newRequestId();
      return;
    }
    const header = (name: string) => headerValue(text, name);
    this.#client = clients.read(this.#peer.address, header('x-forwarded-for'), header('x-forwarded-proto')?.toLowerCase());
    this.network = networkOf(this.#client.address);
    // A trusted proxy's request id is kept, so that both logs tell the same one.
    const id = header('x-request-id');
    this.#requestId = id !== undefined && /^[\w.:-]{8,128}$/.test(id) ? id : newRequestId();
  }

  #lookAgain(again: Promise<Route | undefined>): void {
    const { databaseMs } = this.#parts.limits;
    this.#isLooking = true;
    this.#visitor.enter('looking', databaseMs + 1_000);
    const go = (route: Route | undefined) => {
      if (!this.#isLooking) return;
      this.#isLooking = false;
      this.#pass(route);
    };
    again.then(go).catch((err: unknown) => this.#visitor.broke(err));
  }

  #pass(route: Route | undefined): void {
    if (!route?.target || !route.deployment_id) return this.#refuse(pageFor(route));
    if (this.#asked.length > this.#parts.limits.bodyBytes) return this.#refuse('body_too_large');
    if (this.asksForWebSocket && this.#webSocketKey === undefined) return this.#refuse('request_invalid');
    if (!this.#parts.inFlight.enter(route.deployment_id, this.network, this.asksForWebSocket)) return this.#refuse('agent_busy');
    this.#countedFor = route.deployment_id;
    this.#beginFacts(route);
    this.#tried = 0;
    this.#connect(route);
  }

  #beginFacts(route: Route): void {
    const facts = (this.#facts ??= new CurrentExchange(route, this.#client));
    facts.route = route;
    facts.client = this.#client;
    facts.requestId = this.#requestId;
    facts.requestText = this.#requestText;
    facts.method = this.method;
    facts.host = this.host;
    facts.target = this.#asked.target;
    facts.traceparent = this.#asked.traceparent;
    facts.isWebSocket = this.asksForWebSocket;
    this.#isCounted = true;
    facts.begin();
    const { isWatched } = facts;
    this.#body.show(isWatched ? (bytes, from, to) => facts.sawRequest(bytes, from, to) : undefined);
    this.answerData = isWatched ? (bytes, from, to) => facts.sawAnswer(bytes, from, to) : undefined;
  }

  #connect(route: Route): void {
    this.#tried += 1;
    this.#facts!.route = route;
    const { pools, limits } = this.#parts;
    if (this.asksForWebSocket) {
      this.#alone = pools.openAlone(route.target!, this);
      return;
    }
    this.#visitor.enter('queued', limits.waitingMs);
    const kept = pools.take(route.target!, this);
    if (kept !== undefined) this.connected(kept);
  }

  opening(): void {
    this.#visitor.enter('connecting', this.#parts.limits.upstreamConnectMs);
  }

  connected(upstream: Upstream): void {
    this.#alone = undefined;
    this.#upstream = upstream;
    this.#wasKept = upstream.isReused;
    this.#isHeadSent = false;
    this.#isSending = true;
    upstream.ask(this);
    this.#visitor.enter('sending', this.#parts.limits.bodyIdleMs);
    this.#visitor.proceed();
  }

  notConnected(kind: FailureKind, why: string): void {
    this.#alone = undefined;
    this.#tryAgain(kind, why);
  }

  requestBytes(bytes: Buffer, from: number, to: number): number {
    if (this.#splice !== undefined) return this.#visitorSays(this.#splice, { bytes, from, to });
    if (this.#isDiscarding) return this.#discard(bytes, from, to);
    const facts = this.#facts!;
    const { limits } = this.#parts;
    if (this.#awaitsContinue) this.#visitor.socket.write('HTTP/1.1 100 Continue\r\n\r\n', 'latin1');
    this.#awaitsContinue = false;
    let used = 0;
    if (!this.#body.isWhole && from < to) {
      used = this.#body.take(bytes, from, to);
      if (used !== BROKEN) facts.bytesIn += this.#body.data;
      if (used === BROKEN || facts.bytesIn > limits.bodyBytes) {
        this.#refuse(used === BROKEN ? 'request_invalid' : 'body_too_large');
        return to;
      }
    }
    this.#passOn(bytes, from, used === 0 ? from : from + this.#body.kept);
    return from + used;
  }

  #passOn(bytes: Buffer, from: number, to: number): void {
    const { socket } = this.#upstream!;
    send(socket, this.#isHeadSent ? '' : this.#upstreamText, { bytes, from, to });
    this.#isHeadSent = true;
    this.#isSending = !this.#body.isWhole;
    // The agent may answer before it has everything.
    if (this.#facts!.status !== 0) return;
    const { limits } = this.#parts;
    // While the agent takes nothing it is the agent that everybody waits for.
    if (this.#isSending) this.#visitor.enter('sending', socket.writableNeedDrain ? limits.firstByteMs : limits.bodyIdleMs);
    else this.#visitor.enter('waiting', limits.firstByteMs);
  }

  agentDrains(): void {
    if (this.#isSending && this.#facts!.status === 0) this.#visitor.enter('sending', this.#parts.limits.bodyIdleMs);
    this.#visitor.proceed();
  }

  answerBegins(answer: AnswerHead, text: string, end: BodyEnd): 'framed' | 'plain' | undefined {
    const facts = this.#facts!;
    if (answer.status === 101) return this.#switch(answer, text);
    facts.status = answer.status;
    facts.answerText = text;
    if (answer.isEventStream) facts.stopWatch();
    const { form, keepsAlive } = this.#out.begin(answer, end, {
      minor: this.#minor,
      keepsAlive: this.#keepsAlive && !this.#parts.isDraining(),
      requestId: this.#requestId,
    });
    this.#keepsAlive = keepsAlive;
    facts.answerBegan();
    return form;
  }

  answerBytes(bytes: Buffer, from: number, to: number): void {
    this.#facts!.bytesOut += this.#upstream!.data;
    this.#out.bytes(bytes, from, to);
    const { limits } = this.#parts;
    if (this.#visitor.socket.writableNeedDrain) {
      this.#upstream!.pause();
      this.#visitor.enter('writing', limits.clientWriteMs);
    } else this.#visitor.enter('answering', limits.answerIdleMs);
  }

  answerEnds(isReusable: boolean): void {
    this.#out.end();
    const upstream = this.#upstream!;
    this.#upstream = undefined;
    const isWhole = !this.#isSending;
    this.#isSending = false;
    if (this.asksForWebSocket) upstream.close();
    else this.#parts.pools.release(upstream, isReusable && isWhole);
    this.#over();
  }

  answerFails(why: string): void {
    const didConnect = this.#upstream !== undefined;
    this.#upstream = undefined;
    this.#isSending = false;
    if (this.#splice !== undefined) {
      this.#visitor.socket.destroySoon();
      return;
    }
    const facts = this.#facts!;
    if (facts.status !== 0 && !this.#out.isUnsent) return this.#cutOff(why);
    facts.status = 0;
    this.#out.forget();
    this.#tryAgain(didConnect ? 'broken' : 'unreachable', why);
  }

  visitorDrains(): void {
    const { limits } = this.#parts;
    if (this.#upstream !== undefined) {
      if (this.#splice === undefined && this.#facts!.status !== 0) this.#visitor.enter('answering', limits.answerIdleMs);
      this.#upstream.resume();
    }
    this.#visitor.proceed();
  }

  /** The visitor says no more. Returns false if it has not said all of the request. */
  visitorEnds(): boolean {
    if (this.#splice !== undefined) this.#upstream?.socket.end();
    return !this.#isSending || this.#body.isWhole;
  }

  visitorGone(): void {
    this.#isLooking = false;
    this.#isDiscarding = false;
    if (this.#splice !== undefined) {
      this.#splice = undefined;
      this.#upstream?.leave();
      this.#upstream = undefined;
    }
    this.#dropUpstream();
    this.#finish();
  }

  expired(phase: Phase): void {
    switch (phase) {
      case 'looking':
        this.#isLooking = false;
        return this.#refuse('agent_starting');
      case 'queued':
        return this.#refuse('agent_busy');
      case 'connecting':
        this.#dropUpstream();
        return this.#tryAgain('unreachable', 'no connection in time');
      case 'sending':
        return this.#refuse(this.isAgentFull ? 'agent_timed_out' : 'request_timed_out');
      case 'waiting':
        return this.#refuse('agent_timed_out');
      case 'answering':
        return this.#cutOff('silent in the middle of an answer');
      case 'spliced':
        return this.closeWebSocket(goingAway);
      default:
        this.#visitor.socket.destroy();
    }
  }

  cut(): void {
    if (this.#facts && this.#isCounted && this.#facts.status !== 0) this.#facts.isUpstreamError = true;
    this.#visitor.socket.destroy();
  }

  closeWebSocket(code: number): void {
    this.#splice?.close(code);
    this.#visitor.enter('closing', this.#parts.limits.farewellMs);
  }

  /** Tells what has passed so far of an exchange that lasts. */
  tellBytes(): void {
    if (this.#isCounted) this.#facts!.tellBytes();
  }

  /** The visitor has part of the answer already: all that can still be said is that it is not whole. */
  #cutOff(why: string): void {
    const facts = this.#facts!;
    facts.isUpstreamError = true;
    this.#parts.log.debug({ why, deployment_id: facts.deploymentId, request_id: facts.requestId }, 'answer cut off');
    this.#visitor.socket.destroy();
  }

  #tryAgain(kind: FailureKind, why: string): void {
    const { table, limits, log } = this.#parts;
    const facts = this.#facts!;
    const { route } = facts;
    const next = nextTry(
      { kind, tried: this.#tried, wasKept: this.#wasKept, mayRepeat: this.#isRepeatable, route },
      table.find(route.label),
      limits,
    );
    if (typeof next === 'string') {
      log.debug({ why, deployment_id: facts.deploymentId, request_id: facts.requestId }, 'request failed');
      this.#refuse(next);
    } else if (next.waitMs === 0) this.#connect(next.route);
    else {
      this.#visitor.enter('queued', next.waitMs + limits.waitingMs);
      this.#retryTimer = setTimeout(() => this.#connect(next.route), next.waitMs);
    }
  }

  /** Ends the exchange with an answer of the gateway's own. */
  #refuse(code: AnswerCode): void {
    this.#dropUpstream();
    const { status } = answers[code];
    if (this.#isCounted) {
      this.#facts!.status = status;
      this.#facts!.isUpstreamError = status >= 500;
    }
    if (status === 400 || status === 408 || status === 413) this.#keepsAlive = false;
    const accept = this.#requestText === '' ? undefined : headerValue(this.#requestText, 'accept');
    this.#answer(this.#parts.renderPage(code, wantedForm(accept), { requestId: this.#requestId, host: this.host }));
  }

  #answer(answer: OwnAnswer): void {
    // Who waits for '100 Continue' may send its body now or never: nobody could tell where the next request begins.
    if (this.#awaitsContinue && !this.#body.isWhole) this.#keepsAlive = false;
    const keptOpen = this.#minor === 1 ? undefined : 'keep-alive';
    const connection = this.#keepsAlive ? keptOpen : 'close';
    this.#visitor.socket.write(ownAnswerText(answer, { isHead: this.method === 'HEAD', connection }));
    this.#over();
  }

  /** The visitor has its answer, or the connection will bring it the rest. */
  #over(): void {
    this.#finish();
    const { limits } = this.#parts;
    const { socket } = this.#visitor;
    if (!this.#keepsAlive) return this.#visitor.close();
    this.#isDiscarding = !this.#body.isWhole;
    if (this.#isDiscarding) this.#visitor.enter('discarding', limits.lingerMs);
    else this.#visitor.enter('idle', socket.writableLength > 0 ? limits.clientWriteMs : limits.keepAliveMs);
    this.#visitor.proceed();
  }

  #discard(bytes: Buffer, from: number, to: number): number {
    const used = this.#body.take(bytes, from, to);
    if (used === BROKEN) {
      this.#visitor.close();
      return to;
    }
    this.#isDiscarding = !this.#body.isWhole;
    if (!this.#isDiscarding) this.#visitor.enter('idle', this.#parts.limits.keepAliveMs);
    return from + used;
  }

  #dropUpstream(): void {
    clearTimeout(this.#retryTimer);
    this.#parts.pools.cancel(this);
    this.#alone?.close();
    this.#alone = undefined;
    this.#upstream?.close();
    this.#upstream = undefined;
    this.#isSending = false;
    this.#out.forget();
  }

  #finish(): void {
    if (!this.#isCounted) return;
    this.#parts.inFlight.leave(this.#countedFor, this.network, this.asksForWebSocket);
    this.#facts!.end();
    this.#isCounted = false;
    this.#requestText = '';
    this.#upstreamText = '';
  }

  #switch(answer: AnswerHead, text: string): 'framed' | undefined {
    if (!isSwitchFor(this.#webSocketKey!, answer, text)) return undefined;
    const facts = this.#facts!;
    const { socket } = this.#visitor;
    facts.status = 101;
    facts.answerText = text;
    facts.stopWatch();
    facts.answerBegan();
    socket.write(switchHead(answer, this.#requestId), 'latin1');
    this.#splice = new Splice(socket, this.#upstream!.socket);
    this.#isSending = false;
    this.#visitor.enter('spliced', this.#parts.limits.webSocketIdleMs);
    this.#visitor.proceed();
    return 'framed';
  }

  #visitorSays(splice: Splice, { bytes, from, to }: Piece): number {
    this.#facts!.bytesIn += to - from;
    splice.fromVisitor(bytes, from, to);
    this.#visitor.enter('spliced', this.#parts.limits.webSocketIdleMs);
    return to;
  }

  agentSays(bytes: Buffer, from: number, to: number): void {
    this.#facts!.bytesOut += to - from;
    this.#splice!.fromAgent(bytes, from, to);
    if (this.#visitor.socket.writableNeedDrain) this.#upstream!.pause();
    this.#visitor.enter('spliced', this.#parts.limits.webSocketIdleMs);
  }

  agentHangsUp(): void {
    this.#visitor.socket.end();
  }
}
