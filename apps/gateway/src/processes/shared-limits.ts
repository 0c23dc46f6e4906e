import type { Limits } from '../limits.ts';

/**
 * Caps on concurrent connections and requests over the whole gateway. All other limits hold for one request, one connection or one process.
 * `trafficRows` is not divided: each process counts for every agent, and would drop figures earlier.
 */
const shared = [
  'connections',
  'connectionsPerAddress',
  'socketsPerTarget',
  'waitingPerTarget',
  'inFlightPerDeployment',
  'socketsPerVisitor',
  'inFlightPerVisitor',
  'webSocketsPerDeployment',
  'webSocketsPerVisitor',
] as const satisfies (keyof Limits)[];

/**
 * The limits of one of several processes. The kernel spreads connections by a hash, not evenly: for a visitor close to a cap, one process may
 * refuse a connection while another still has room. Together the processes allow what one process would allow, rounded up.
 */
export function sharedLimits(limits: Limits, processes: number): Limits {
  const parts = shared.map((name) => [name, Math.max(1, Math.ceil(limits[name] / processes))]);
  return { ...limits, ...(Object.fromEntries(parts) as Pick<Limits, (typeof shared)[number]>) };
}
