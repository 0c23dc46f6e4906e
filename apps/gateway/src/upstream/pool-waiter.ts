import type { Upstream } from './upstream.ts';

/** Why an attempt failed: no connection was free, none could be opened, or there was no complete response. */
export type FailureKind = 'busy' | 'unreachable' | 'broken';

/** A request for a connection to an instance. */
export interface PoolWaiter {
  /** An IPv4 address or a /64 of IPv6: it gets its share of the connections and no more. */
  readonly network: string;
  /** The request may be sent twice without harm; only then is a connection used that the agent may be closing. */
  readonly mayRepeat: boolean;
  /** A connection is being opened for this waiter. */
  opening(): void;
  /** The requested connection is open. */
  connected(upstream: Upstream): void;
  /** Nothing was sent. */
  notConnected(kind: FailureKind, why: string): void;
}
