import type { Upstream } from './upstream.ts';

/** Why a try brought nothing: no connection was free, none could be made, or no whole answer came. */
export type FailureKind = 'busy' | 'unreachable' | 'broken';

/** Who wants a connection to an instance. */
export interface PoolWaiter {
  /** An IPv4 address or a /64 of IPv6: it gets its share of the connections and no more. */
  readonly network: string;
  /** The request does no harm when it is sent twice; only then is a connection used that the agent may just be closing. */
  readonly mayRepeat: boolean;
  /** It is the asker's turn: a connection is being made for it. */
  opening(): void;
  /** The connection that it waited for. */
  connected(upstream: Upstream): void;
  /** Nothing was sent. */
  notConnected(kind: FailureKind, why: string): void;
}
