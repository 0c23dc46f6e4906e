import type { Limits } from '../limits.ts';
import type { Target } from '../routes/route.ts';
import type { PoolWaiter } from './pool-waiter.ts';
import { Shares } from './shares.ts';
import { Upstream } from './upstream.ts';

export interface PoolEvents {
  /** A connection of this pool was created; it is not open yet. */
  made(upstream: Upstream): void;
  /** The last connection is gone and there are no waiters. */
  unused(): void;
  mayClose(): boolean;
}

/** The connections to one instance, and their waiters. */
export class TargetPool {
  readonly target: Target;
  readonly #limits: Limits;
  readonly #events: PoolEvents;
  readonly #shares: Shares;
  /** Opening, busy and idle together. */
  #open = 0;
  /** The most recently released is at the end and used first. */
  readonly #idle: Upstream[] = [];
  readonly #waiting = new Set<PoolWaiter>();
  readonly #opening = new Map<PoolWaiter, Upstream>();
  #isRetired = false;

  constructor(target: Target, limits: Limits, events: PoolEvents) {
    this.target = target;
    this.#limits = limits;
    this.#events = events;
    this.#shares = new Shares(limits.socketsPerVisitor);
  }

  /** A kept connection for the waiter, if there is one. */
  takeKept({ network, mayRepeat }: PoolWaiter): Upstream | undefined {
    if (this.#shares.isUsedUp(network)) return undefined;
    const last = this.#idle.at(-1);
    if (!last || (!mayRepeat && performance.now() - last.idleSince > this.#limits.upstreamFreshMs)) return undefined;
    this.#idle.pop();
    this.#shares.lend(last, network);
    return last;
  }

  /** Opens a connection for the waiter, or queues it. A waiter that holds its share waits although there are connections left. */
  openOrWait(asker: PoolWaiter): void {
    if (this.#shares.isUsedUp(asker.network)) return this.#wait(asker);
    if (this.#open >= this.#limits.socketsPerTarget) {
      const oldest = this.#idle.shift();
      if (!oldest) return this.#wait(asker);
      oldest.close();
    }
    this.#openFor(asker);
  }

  /** The waiter needs no connection any more. */
  cancel(asker: PoolWaiter): void {
    this.#waiting.delete(asker);
    const upstream = this.#opening.get(asker);
    if (!upstream) return;
    this.#opening.delete(asker);
    upstream.close();
  }

  /** Returns a connection after use. */
  release(upstream: Upstream, isReusable: boolean): void {
    this.#shares.takeBack(upstream);
    if (!isReusable || this.#isRetired) {
      upstream.close();
      return;
    }
    upstream.isReused = true;
    const next = this.#nextWaiting();
    if (next) {
      this.#shares.lend(upstream, next.network);
      next.connected(upstream);
      return;
    }
    upstream.idleSince = performance.now();
    this.#idle.push(upstream);
  }

  closeIdleSince(oldest: number): void {
    // The longest idle ones come first.
    while (this.#idle.length > 0 && this.#idle[0]!.idleSince < oldest) this.#idle.shift()!.close();
  }

  /** No route leads to the target any more: requests in progress finish, kept connections close, and waiters retry elsewhere. */
  retire(): void {
    this.#isRetired = true;
    for (const upstream of this.#idle.splice(0)) upstream.close();
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const asker of waiting) asker.notConnected('unreachable', 'the route has moved');
  }

  #openFor(asker: PoolWaiter): void {
    this.#open += 1;
    const upstream = new Upstream(this.target, this.#limits, {
      opened: () => {
        this.#opening.delete(asker);
        asker.connected(upstream);
      },
      gone: (why) => this.#gone(upstream, asker, why),
      mayClose: () => this.#events.mayClose(),
    });
    this.#events.made(upstream);
    this.#opening.set(asker, upstream);
    this.#shares.lend(upstream, asker.network);
    asker.opening();
  }

  #gone(upstream: Upstream, openedFor: PoolWaiter, why: string): void {
    this.#open -= 1;
    this.#shares.takeBack(upstream);
    const at = this.#idle.indexOf(upstream);
    if (at >= 0) this.#idle.splice(at, 1);
    // A waiter that has abandoned this connection may be waiting for the next.
    if (this.#opening.get(openedFor) === upstream) {
      this.#opening.delete(openedFor);
      openedFor.notConnected('unreachable', why);
    }
    this.#openForWaiting();
    if (this.#open === 0 && this.#waiting.size === 0) this.#events.unused();
  }

  #openForWaiting(): void {
    if (this.#open >= this.#limits.socketsPerTarget) return;
    const next = this.#nextWaiting();
    if (next) this.#openFor(next);
  }

  #wait(asker: PoolWaiter): void {
    if (this.#waiting.size < this.#limits.waitingPerTarget) this.#waiting.add(asker);
    else asker.notConnected('busy', 'too many requests wait for a connection');
  }

  /** Waiters that hold their share are skipped. */
  #nextWaiting(): PoolWaiter | undefined {
    for (const asker of this.#waiting) {
      if (this.#shares.isUsedUp(asker.network)) continue;
      this.#waiting.delete(asker);
      return asker;
    }
    return undefined;
  }
}
