import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { visitorHeaders } from './answer-head.ts';
import { type AnswerCode, answers } from './answers.ts';
import type { Client } from './client-address.ts';
import type { Limits } from './limits.ts';
import { type RequestFacts, upstreamHead } from './request-head.ts';
import { pageFor } from './pages.ts';
import type { Route } from './routing-table.ts';
import { splice } from './splice.ts';
import type { Traffic } from './traffic.ts';
import type { AnswerHead } from './upstream/answer-parser.ts';
import { type AnswerTaker, Connection } from './upstream/connection.ts';
import { BrokenAnswer } from './upstream/broken-answer.ts';
import { PoolBusy, type UpstreamPool } from './upstream/pool.ts';
import { acceptOf, switchHead } from './web-socket.ts';

/** What all exchanges share. */
export interface ExchangeParts {
  limits: Limits;
  pool: UpstreamPool;
  traffic: Traffic;
  log: Logger;
  findRoute(label: string): Route | undefined;
  sendPage(res: ServerResponse, code: AnswerCode, facts: RequestFacts, requestId: string): void;
  isDraining(): boolean;
}

export interface Asked {
  req: IncomingMessage;
  res: ServerResponse;
  facts: RequestFacts;
  route: Route;
  client: Client;
  requestId: string;
  /** Set if the visitor asked for a WebSocket: its socket, and what it sent ahead. */
  upgrade: { socket: Socket; ahead: Buffer; key: string } | undefined;
  /** Called once, when nothing of the exchange is left. */
  closed: () => void;
}

type Phase = 'connecting' | 'sending' | 'waiting' | 'answering' | 'writing' | 'spliced' | 'closed';

// Requests that do no harm when they are sent twice.
const repeatable = new Set(['GET', 'HEAD', 'OPTIONS', 'PROPFIND', 'SEARCH', 'REPORT', 'QUERY']);
const tries = 3;
/** A small body that came with its head is sent with it, as one string. */
const heldBytes = 8 * 1024;

/** One request on its way to an agent and the answer on its way back. Nothing is kept but what is just being passed on. */
export class Exchange implements AnswerTaker {
  /** By when (performance.now()) it must have moved on; else somebody must call `expired`. */
  deadline = Number.POSITIVE_INFINITY;
  #parts: ExchangeParts;
  #asked: Asked;
  #route: Route;
  #phase: Phase = 'connecting';
  #connection: Connection | undefined;
  #cancelAcquire: (() => void) | undefined;
  #retryTimer: NodeJS.Timeout | undefined;
  #tried = 0;
  #status = 0;
  #requestSent = false;
  #bodyBytes = 0;
  #held: string | undefined;
  #headPending = false;
  #isUpstreamError = false;
  #lastWasKept = false;
  #spliced: Socket | undefined;
  #startedAt = performance.now();
  #latencyMs: number | undefined;
  #bytesIn = 0;
  #bytesOut = 0;

  constructor(parts: ExchangeParts, asked: Asked) {
    this.#parts = parts;
    this.#asked = asked;
    this.#route = asked.route;
  }

  start(): void {
    const { res } = this.#asked;
    res.on('close', this.#closed);
    res.on('drain', this.#visitorDrained);
    res.on('error', this.#closed);
    this.#connect();
  }

  #connect(): void {
    const { limits, pool } = this.#parts;
    this.#tried += 1;
    this.#enter('connecting', limits.upstreamConnectMs + limits.waitingMs);
    if (this.#asked.upgrade) {
      this.#connection = new Connection(
        this.#route.target!,
        limits,
        {
          opened: (connection) => this.#ask(connection),
          gone: (_, cause) => this.#phase === 'connecting' && this.failed(cause ?? new Error('closed')),
        },
        true,
      );
      return;
    }
    // A request that already failed on a kept connection gets a new one.
    const mayRepeat = repeatable.has(this.#asked.req.method!) && this.#asked.facts.body === 'none';
    this.#cancelAcquire = pool.acquire(this.#route.target!, mayRepeat && this.#tried === 1, (error, connection) => {
      this.#cancelAcquire = undefined;
      if (!connection) this.failed(error!);
      else if (this.#phase !== 'connecting') pool.release(connection, true);
      else this.#ask(connection);
    });
  }

  #ask(connection: Connection): void {
    const { req, facts, client, requestId, upgrade } = this.#asked;
    this.#connection = connection;
    this.#lastWasKept = connection.isReused;
    const hasBody = facts.body !== 'none';
    this.#enter('waiting', this.#parts.limits.firstByteMs);
    connection.ask(
      { method: req.method!, upgrades: upgrade !== undefined, hasBody },
      upstreamHead(req, facts, { client, requestId, webSocket: upgrade !== undefined }),
      this,
    );
    if (hasBody) this.#sendBody();
    else this.#requestSent = true;
  }

  #sendBody(): void {
    const { req, res, facts } = this.#asked;
    const { limits } = this.#parts;
    this.#enter('sending', limits.bodyIdleMs);
    if (facts.expects !== undefined) res.writeContinue();
    req.on('data', this.#bodyPiece);
    req.on('end', this.#bodyEnd);
  }

  #bodyPiece = (piece: Buffer): void => {
    const { limits } = this.#parts;
    this.#bytesIn += piece.length;
    this.#bodyBytes += piece.length;
    if (this.#bodyBytes > limits.bodyBytes) {
      this.#refuse('body_too_large');
      return;
    }
    if (!this.#connection) return;
    const isDrained = this.#connection.write(piece, this.#asked.facts.body === 'chunked');
    if (!isDrained) this.#asked.req.pause();
    // While the agent takes nothing it is the agent that everybody waits for.
    if (this.#phase === 'sending') this.#enter('sending', isDrained ? limits.bodyIdleMs : limits.firstByteMs);
  };

  #bodyEnd = (): void => {
    if (this.#asked.facts.body === 'chunked') this.#connection?.endChunks();
    this.#requestSent = true;
    if (this.#phase === 'sending') this.#enter('waiting', this.#parts.limits.firstByteMs);
  };

  drained(): void {
    this.#asked.req.resume();
    if (this.#phase === 'sending') this.#enter('sending', this.#parts.limits.bodyIdleMs);
  }

  head(answer: AnswerHead): void {
    const { res, facts, requestId, upgrade } = this.#asked;
    this.#status = answer.status;
    if (answer.status === 101) {
      const accept = answer.headers.find((_, i, all) => i % 2 === 1 && all[i - 1]!.toLowerCase() === 'sec-websocket-accept');
      if (answer.upgrade !== 'websocket' || !answer.connectionNames.includes('upgrade') || accept !== acceptOf(upgrade!.key))
        throw new BrokenAnswer('switched protocols, but not to the WebSocket that was asked for');
      upgrade!.socket.write(switchHead(visitorHeaders(answer, facts.host, requestId)), 'latin1');
      return;
    }
    if (answer.isEventStream) this.#latencyMs = performance.now() - this.#startedAt;
    if (this.#parts.isDraining()) res.shouldKeepAlive = false;
    res.writeHead(answer.status, answer.reason || undefined, visitorHeaders(answer, facts.host, requestId));
    this.#headPending = true;
    this.#enter('answering', this.#parts.limits.answerIdleMs);
  }

  body(piece: Buffer): void {
    const { res } = this.#asked;
    this.#bytesOut += piece.length;
    if (this.#headPending && this.#held === undefined && piece.length <= heldBytes) {
      this.#held = piece.toString('latin1');
      return;
    }
    this.#writeHeld();
    // A copy: the connection reads into the same buffer again.
    if (res.write(Buffer.from(piece))) this.#enter('answering', this.#parts.limits.answerIdleMs);
    else this.#waitForVisitor();
  }

  settled(): void {
    if (this.#phase === 'closed') return;
    if (this.#held !== undefined) this.#writeHeld();
    else if (this.#headPending) this.#asked.res.flushHeaders();
    this.#headPending = false;
  }

  #writeHeld(): void {
    this.#headPending = false;
    if (this.#held === undefined) return;
    const held = this.#held;
    this.#held = undefined;
    if (!this.#asked.res.write(held, 'latin1')) this.#waitForVisitor();
  }

  #waitForVisitor(): void {
    this.#connection?.pause();
    this.#enter('writing', this.#parts.limits.clientWriteMs);
  }

  #visitorDrained = (): void => {
    if (this.#phase !== 'writing') return;
    this.#enter(
      this.#connection ? 'answering' : 'writing',
      this.#connection ? this.#parts.limits.answerIdleMs : this.#parts.limits.clientWriteMs,
    );
    this.#connection?.resume();
  };

  end(isReusable: boolean, rest: Buffer): void {
    const connection = this.#connection!;
    this.#connection = undefined;
    this.#latencyMs ??= performance.now() - this.#startedAt;
    if (this.#status === 101) {
      this.#splice(connection.detach(), rest);
      return;
    }
    this.#parts.pool.release(connection, isReusable && this.#requestSent && !this.#asked.upgrade);
    this.#headPending = false;
    this.#finish(this.#held);
  }

  /** All that is left is what the visitor has not taken yet. */
  #finish(last: string | undefined): void {
    const { req, res, upgrade } = this.#asked;
    this.#held = undefined;
    if (this.#phase === 'closed') return;
    this.#enter('writing', this.#parts.limits.clientWriteMs);
    if (!this.#requestSent && !upgrade) lingerFor(req, this.#parts.limits.lingerMs);
    if (last === undefined) res.end();
    else res.end(last, 'latin1');
  }

  failed(cause: Error): void {
    this.#connection = undefined;
    if (this.#phase === 'closed' || this.#phase === 'writing') {
      if (this.#phase === 'writing' && !this.#asked.res.writableEnded) this.#cut(cause);
      return;
    }
    if (this.#asked.res.headersSent || this.#status === 101) {
      this.#cut(cause);
      return;
    }
    const didConnect = this.#phase !== 'connecting';
    if (this.#tried < tries && this.#mayTryAgain(didConnect)) {
      this.#tryAgain(didConnect);
      return;
    }
    this.#parts.log.debug({ err: cause, deployment_id: this.#route.deployment_id, request_id: this.#asked.requestId }, 'request failed');
    this.#refuse(cause instanceof PoolBusy ? 'agent_busy' : didConnect ? 'agent_answer_broken' : 'agent_unreachable');
  }

  /** Nothing was sent yet, or what was sent may be sent twice and the agent had merely closed a kept connection. */
  #mayTryAgain(didConnect: boolean): boolean {
    const { req, facts } = this.#asked;
    return didConnect ? this.#lastWasKept && facts.body === 'none' && repeatable.has(req.method!) : true;
  }

  #tryAgain(didConnect: boolean): void {
    const now = this.#parts.findRoute(this.#route.label);
    const isSame = now?.version === this.#route.version;
    if (!now?.target || !now.deployment_id) {
      this.#refuse(pageFor(now));
      return;
    }
    this.#route = now;
    if (didConnect || !isSame) this.#connect();
    else this.#retryTimer = setTimeout(() => this.#connect(), this.#parts.limits.upstreamRetryMs);
  }

  /** The visitor has part of the answer already: all that can still be said is that it is not whole. */
  #cut(cause: Error): void {
    this.#isUpstreamError = true;
    this.#parts.log.debug({ err: cause, deployment_id: this.#route.deployment_id, request_id: this.#asked.requestId }, 'answer cut off');
    this.#asked.res.destroy();
    this.#asked.upgrade?.socket.destroy();
  }

  /** Ends the exchange with an answer of the gateway's own. */
  #refuse(code: AnswerCode): void {
    const { res, facts, requestId } = this.#asked;
    this.#dropConnection();
    if (res.headersSent) {
      res.destroy();
      return;
    }
    this.#status = answers[code].status;
    this.#isUpstreamError = this.#status >= 500;
    this.#latencyMs = performance.now() - this.#startedAt;
    this.#asked.req.off('data', this.#bodyPiece);
    if (!this.#requestSent && !this.#asked.upgrade && facts.body !== 'none') lingerFor(this.#asked.req, this.#parts.limits.lingerMs);
    if (code === 'request_timed_out') res.shouldKeepAlive = false;
    this.#enter('writing', this.#parts.limits.clientWriteMs);
    this.#parts.sendPage(res, code, facts, requestId);
  }

  #splice(agent: Socket, rest: Buffer): void {
    const { res, upgrade } = this.#asked;
    res.removeAllListeners();
    res.detachSocket(upgrade!.socket);
    this.#enter('spliced', this.#parts.limits.webSocketIdleMs);
    this.#spliced = agent;
    splice(
      upgrade!.socket,
      agent,
      { fromVisitor: upgrade!.ahead, fromAgent: rest },
      {
        moved: (bytesIn, bytesOut) => {
          this.#bytesIn += bytesIn;
          this.#bytesOut += bytesOut;
          this.#enter('spliced', this.#parts.limits.webSocketIdleMs);
        },
        done: this.#closed,
      },
    );
  }

  expired(): void {
    if (this.#phase === 'sending') this.#refuse('request_timed_out');
    else if (this.#phase === 'waiting') this.#refuse('agent_timed_out');
    else if (this.#phase === 'connecting') this.#refuse('agent_unreachable');
    else this.abort();
  }

  /** Cuts both sides at once. */
  abort(): void {
    if (this.#phase === 'answering') this.#isUpstreamError = true;
    this.#dropConnection();
    this.#spliced?.destroy();
    this.#asked.upgrade?.socket.destroy();
    this.#asked.res.destroy();
  }

  /** Counts what has passed since the last time, so that a long stream shows while it lasts. */
  countBytes(): void {
    this.#parts.traffic.addBytes(this.#route.deployment_id!, this.#bytesIn, this.#bytesOut);
    this.#bytesIn = 0;
    this.#bytesOut = 0;
  }

  #dropConnection(): void {
    clearTimeout(this.#retryTimer);
    this.#cancelAcquire?.();
    this.#cancelAcquire = undefined;
    const connection = this.#connection;
    this.#connection = undefined;
    connection?.close();
  }

  #enter(phase: Phase, ms: number): void {
    if (this.#phase === 'closed') return;
    this.#phase = phase;
    this.deadline = performance.now() + ms;
  }

  #closed = (): void => {
    if (this.#phase === 'closed') return;
    this.#dropConnection();
    this.#phase = 'closed';
    this.countBytes();
    this.#parts.traffic.observe({
      deploymentId: this.#route.deployment_id!,
      // A visitor who left before there was an answer; nginx's number for it.
      status: this.#status || 499,
      latencyUs: (this.#latencyMs ?? performance.now() - this.#startedAt) * 1000,
      isUpstreamError: this.#isUpstreamError,
    });
    this.#asked.closed();
  };
}

/** What still comes of a request that is answered already is read and thrown away for a moment, so that the visitor gets to read the answer. */
function lingerFor(req: IncomingMessage, ms: number): void {
  req.resume();
  const timer = setTimeout(() => req.socket.destroy(), ms);
  req.on('end', () => clearTimeout(timer));
  req.on('close', () => clearTimeout(timer));
}
