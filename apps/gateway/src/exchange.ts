import type { Socket } from 'node:net';
import { networkOf } from '@paddock/network';
import { visitorHeaders } from './answer-head.ts';
import { type AnswerWriter, answerWriter } from './answer-writer.ts';
import { type AnswerCode, answers } from './answers.ts';
import type { Asked, ExchangeParts } from './exchange-parts.ts';
import { exchangeFigures, type Figures } from './figures.ts';
import { nextTry, repeatable } from './next-try.ts';
import { type BodyPassing, lingerFor, passBody } from './request-body.ts';
import { upstreamHead } from './request-head.ts';
import type { Route } from './routing-table.ts';
import { type Splice, splice } from './splice.ts';
import type { AnswerHead } from './upstream/answer-parser.ts';
import { BrokenAnswer } from './upstream/broken-answer.ts';
import { type Acquired, type AnswerTaker, type Connection, openConnection } from './upstream/connection.ts';
import { goingAway, isSwitchFor, switchHead } from './web-socket.ts';

type Phase = 'connecting' | 'sending' | 'waiting' | 'answering' | 'writing' | 'spliced' | 'closed';

/** One request on its way to an agent and the answer on its way back. Nothing is kept but what is just being passed on. */
export class Exchange implements AnswerTaker {
  /** By when (performance.now()) it must have moved on; else somebody must call `expired`. */
  deadline = Number.POSITIVE_INFINITY;
  readonly figures: Figures;
  #parts: ExchangeParts;
  #asked: Asked;
  #route: Route;
  #phase: Phase = 'connecting';
  #connection: Connection | undefined;
  #cancelAcquire: (() => void) | undefined;
  #retryTimer: NodeJS.Timeout | undefined;
  #tried = 0;
  #requestSent = false;
  #body: BodyPassing | undefined;
  #writer: AnswerWriter;
  #lastWasKept = false;
  #spliced: Splice | undefined;

  constructor(parts: ExchangeParts, asked: Asked) {
    this.#parts = parts;
    this.#asked = asked;
    this.#route = asked.route;
    this.#writer = answerWriter(asked.res);
    this.figures = exchangeFigures(parts.traffic, () => this.#route.deployment_id!);
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
    const acquired: Acquired = (error, connection) => {
      this.#cancelAcquire = undefined;
      if (!connection) this.failed(error!);
      else if (this.#phase === 'connecting') this.#ask(connection);
      else pool.release(connection, true);
    };
    const target = this.#route.target!;
    if (this.#asked.upgrade) {
      this.#cancelAcquire = openConnection(target, limits, { done: acquired, gone: () => undefined }, true);
      return;
    }
    // A request that already failed on a kept connection gets a new one.
    const mayRepeat = this.#tried === 1 && this.#mayRepeat();
    this.#cancelAcquire = pool.acquire(target, mayRepeat, networkOf(this.#asked.client.address), acquired);
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
    if (hasBody) this.#sendBody(connection);
    else this.#requestSent = true;
  }

  #sendBody(connection: Connection): void {
    const { req, res, facts } = this.#asked;
    const { limits } = this.#parts;
    this.#enter('sending', limits.bodyIdleMs);
    if (facts.expects !== undefined) res.writeContinue();
    this.#body = passBody(
      req,
      connection,
      { isChunked: facts.body === 'chunked', maxBytes: limits.bodyBytes },
      {
        passed: (bytes, isHeld) => {
          this.figures.moved(bytes, 0);
          // While the agent takes nothing it is the agent that everybody waits for.
          if (this.#phase === 'sending') this.#enter('sending', isHeld ? limits.firstByteMs : limits.bodyIdleMs);
        },
        tooLarge: () => this.#refuse('body_too_large'),
        ended: () => {
          this.#requestSent = true;
          if (this.#phase === 'sending') this.#enter('waiting', limits.firstByteMs);
        },
      },
    );
  }

  drained(): void {
    this.#body?.resume();
    if (this.#phase === 'sending') this.#enter('sending', this.#parts.limits.bodyIdleMs);
  }

  head(answer: AnswerHead): void {
    const { res, facts, requestId, upgrade } = this.#asked;
    if (answer.status === 101) {
      if (!isSwitchFor(upgrade!.key, answer)) throw new BrokenAnswer('switched protocols, but not to the WebSocket that was asked for');
      this.figures.status = 101;
      upgrade!.socket.write(switchHead(visitorHeaders(answer, facts.host, requestId)), 'latin1');
      return;
    }
    this.figures.status = answer.status;
    if (answer.isEventStream) this.figures.stopWatch();
    if (this.#parts.isDraining()) res.shouldKeepAlive = false;
    this.#writer.begin(answer.status, answer.reason, visitorHeaders(answer, facts.host, requestId));
    this.#enter('answering', this.#parts.limits.answerIdleMs);
  }

  body(piece: Buffer): void {
    this.figures.moved(0, piece.length);
    if (this.#writer.write(piece)) this.#enter('answering', this.#parts.limits.answerIdleMs);
    else this.#waitForVisitor();
  }

  settled(): void {
    if (this.#phase === 'answering' && !this.#writer.settle()) this.#waitForVisitor();
  }

  #waitForVisitor(): void {
    this.#connection?.pause();
    this.#enter('writing', this.#parts.limits.clientWriteMs);
  }

  #visitorDrained = (): void => {
    if (this.#phase !== 'writing') return;
    if (this.#connection) this.#enter('answering', this.#parts.limits.answerIdleMs);
    else this.#enter('writing', this.#parts.limits.clientWriteMs);
    this.#connection?.resume();
  };

  end(isReusable: boolean, rest: Buffer): void {
    const connection = this.#connection!;
    this.#connection = undefined;
    this.#body?.stop();
    this.figures.stopWatch();
    if (this.figures.status === 101) {
      this.#splice(connection.detach(), rest);
      return;
    }
    if (this.#asked.upgrade) connection.close();
    else this.#parts.pool.release(connection, isReusable && this.#requestSent);
    if (this.#phase === 'closed') return;
    // All that is left is what the visitor has not taken yet.
    this.#enter('writing', this.#parts.limits.clientWriteMs);
    this.#lingerIfUnfinished();
    this.#writer.end();
  }

  #lingerIfUnfinished(): void {
    const { req, facts, upgrade } = this.#asked;
    if (!this.#requestSent && !upgrade && facts.body !== 'none') lingerFor(req, this.#parts.limits.lingerMs);
  }

  failed(cause: Error): void {
    this.#connection = undefined;
    this.#body?.stop();
    if (this.#phase === 'closed' || this.#phase === 'writing') {
      if (this.#phase === 'writing' && !this.#asked.res.writableEnded) this.#cut(cause);
      return;
    }
    if (this.#asked.res.headersSent || this.figures.status === 101) {
      this.#cut(cause);
      return;
    }
    const { findRoute, limits, log } = this.#parts;
    const next = nextTry(
      {
        cause,
        tried: this.#tried,
        didConnect: this.#phase !== 'connecting',
        wasKept: this.#lastWasKept,
        mayRepeat: this.#mayRepeat(),
        route: this.#route,
      },
      findRoute(this.#route.label),
      limits,
    );
    if (typeof next === 'string') {
      log.debug({ err: cause, deployment_id: this.#route.deployment_id, request_id: this.#asked.requestId }, 'request failed');
      this.#refuse(next);
      return;
    }
    this.#route = next.route;
    if (next.waitMs === 0) this.#connect();
    else this.#retryTimer = setTimeout(() => this.#connect(), next.waitMs);
  }

  #mayRepeat(): boolean {
    return this.#asked.facts.body === 'none' && repeatable.has(this.#asked.req.method!);
  }

  /** The visitor has part of the answer already: all that can still be said is that it is not whole. */
  #cut(cause: Error): void {
    this.figures.isUpstreamError = true;
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
    this.figures.status = answers[code].status;
    this.figures.isUpstreamError = answers[code].status >= 500;
    this.figures.stopWatch();
    this.#lingerIfUnfinished();
    if (code === 'request_timed_out') res.shouldKeepAlive = false;
    this.#enter('writing', this.#parts.limits.clientWriteMs);
    this.#parts.sendPage(res, code, facts, requestId);
  }

  #splice(agent: Socket, rest: Buffer): void {
    const { res, upgrade } = this.#asked;
    res.removeAllListeners();
    res.detachSocket(upgrade!.socket);
    this.#enter('spliced', this.#parts.limits.webSocketIdleMs);
    this.#spliced = splice(upgrade!.socket, agent, { fromVisitor: upgrade!.ahead, fromAgent: rest }, this.#parts.limits.farewellMs, {
      moved: (bytesIn, bytesOut) => {
        this.figures.moved(bytesIn, bytesOut);
        this.#enter('spliced', this.#parts.limits.webSocketIdleMs);
      },
      done: this.#closed,
    });
  }

  expired(): void {
    if (this.#phase === 'sending') this.#refuse('request_timed_out');
    else if (this.#phase === 'waiting') this.#refuse('agent_timed_out');
    else if (this.#phase === 'connecting') this.#refuse('agent_unreachable');
    else this.abort();
  }

  /** Cuts both sides at once; a WebSocket is told the code. */
  abort(webSocketCode = goingAway): void {
    if (this.#phase === 'spliced') return this.#spliced!.close(webSocketCode);
    if (this.#phase === 'answering') this.figures.isUpstreamError = true;
    this.#dropConnection();
    this.#asked.upgrade?.socket.destroy();
    this.#asked.res.destroy();
  }

  #dropConnection(): void {
    clearTimeout(this.#retryTimer);
    this.#cancelAcquire?.();
    this.#cancelAcquire = undefined;
    this.#body?.stop();
    this.#connection?.close();
    this.#connection = undefined;
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
    this.figures.finish();
    this.#asked.closed();
  };
}
