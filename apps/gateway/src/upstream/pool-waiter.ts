import type { Upstream } from './upstream.ts';

/** Why an attempt failed: no connection was free, none could be opened, or no complete response arrived. */
export type FailureKind = 'busy' | 'unreachable' | 'broken';

/** A request that waits for a connection to an instance. */
export interface PoolWaiter {
  /** An IPv4 address or an IPv6 /64, whose share of the connections is limited. */
  readonly network: string;
  /** Whether the request is safe to send twice; only then may it use a connection that the agent may just be closing. */
  readonly mayRepeat: boolean;
  /** A connection is being opened for this waiter. */
  opening(): void;
  /** Receives the connection. */
  connected(upstream: Upstream): void;
  /** No connection could be had; nothing was sent. */
  notConnected(kind: FailureKind, why: string): void;
}
