import type { Limits } from '../limits.ts';

/**
 * Caps on concurrent use by visitors and agents, over the whole gateway. All other limits apply to one request, one connection or one
 * process. `trafficRows` is not shared out: each process counts for every agent, and would drop figures earlier.
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
 * The limits of one of several processes. The kernel spreads connections by a hash, not evenly: one process may refuse a connection of a visitor
 * near a cap while another process still has room. Together the processes allow what one process would allow alone, rounded up.
 */
export function sharedLimits(limits: Limits, processes: number): Limits {
  const parts = shared.map((name) => [name, Math.max(1, Math.ceil(limits[name] / processes))]);
  return { ...limits, ...(Object.fromEntries(parts) as Pick<Limits, (typeof shared)[number]>) };
}
