import type { ResponseCode } from '../pages/own-responses.ts';
import type { Route } from '../routes/route.ts';
import type { FailureKind, PoolWaiter } from '../upstream/pool.ts';
import type { Upstream } from '../upstream/upstream.ts';
import type { ClientSide } from './client-side.ts';
import type { ParsedRequest } from './parsed-request.ts';
import type { RelayDeps } from './relay-deps.ts';
import { decideRetry } from './retry-policy.ts';

export interface AttemptEvents {
  /** The request is sent to this route now. */
  trying(route: Route): void;
  connected(upstream: Upstream): void;
  /** There are no further attempts. */
  refuse(code: ResponseCode): void;
}

/** Gets a connection to the agent for a request, and another one after a failed attempt. */
export class Attempts implements PoolWaiter {
  readonly #asked: ParsedRequest;
  readonly #parts: RelayDeps;
  readonly #visitor: ClientSide;
  readonly #events: AttemptEvents;
  #route: Route | undefined;
  #tried = 0;
  #wasKept = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(asked: ParsedRequest, parts: RelayDeps, { visitor, events }: { visitor: ClientSide; events: AttemptEvents }) {
    this.#asked = asked;
    this.#parts = parts;
    this.#visitor = visitor;
    this.#events = events;
  }

  get network(): string {
    return this.#asked.network;
  }

  /** A request that already failed on a kept connection gets a new connection. */
  get mayRepeat(): boolean {
    return this.#asked.isRepeatable && this.#tried === 1;
  }

  begin(route: Route): void {
    this.#tried = 0;
    this.#try(route);
  }

  #try(route: Route): void {
    this.#tried += 1;
    this.#route = route;
    this.#events.trying(route);
    const { pools, limits } = this.#parts;
    if (this.#asked.isWebSocket) {
      pools.openAlone(route.target!, this);
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
    this.#wasKept = upstream.isReused;
    this.#events.connected(upstream);
  }

  notConnected(kind: FailureKind, why: string): void {
    this.again(kind, why);
  }

  /** Handles an attempt that failed without a byte of a response. */
  again(kind: FailureKind, why: string): void {
    const { table, limits, log } = this.#parts;
    const route = this.#route!;
    const failed = { kind, tried: this.#tried, wasKept: this.#wasKept, mayRepeat: this.#asked.isRepeatable, route };
    const next = decideRetry(failed, table.find(route.label), limits);
    if (typeof next === 'string') {
      log.debug({ why, deployment_id: route.deployment_id, request_id: this.#asked.requestId }, 'request failed');
      this.#events.refuse(next);
    } else if (next.waitMs === 0) this.#try(next.route);
    else {
      this.#visitor.enter('queued', next.waitMs + limits.waitingMs);
      this.#timer = setTimeout(() => this.#try(next.route), next.waitMs);
    }
  }

  /** No connection is needed any more. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#parts.pools.cancel(this);
  }
}
