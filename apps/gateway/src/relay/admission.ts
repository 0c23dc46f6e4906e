import type { RequestHead } from '../heads/request-head.ts';
import { healthAnswer, type OwnAnswer } from '../pages/own-answer.ts';
import type { ResponseCode } from '../pages/own-responses.ts';
import type { Route } from '../routes/route.ts';
import type { RelayDeps } from './relay-deps.ts';

/** The destination of a request: an agent, a route that is being reread, or a response of the gateway's own. */
export type Admission = Route | Promise<Route | undefined> | OwnAnswer | ResponseCode;

export function admit(head: RequestHead, parts: RelayDeps): Admission {
  const { table } = parts;
  const host = parts.readHost(head.host);
  if (host.kind === 'invalid') return 'host_invalid';
  if (head.expects !== '' && head.expects !== '100-continue') return 'expectation_unknown';
  if (host.kind === 'other') return ownDirection(head.target, parts);
  if (!table.isLoaded()) return 'routes_unknown';
  const route = table.find(host.label);
  // A user who deploys an agent and opens its address at once must not get "not found" or "starting" when it serves already.
  return (route?.target ? undefined : table.rereadRoute(host.label)) ?? route ?? 'agent_not_found';
}

function ownDirection(target: string, { table, isDraining, gatewayPid }: RelayDeps): Admission {
  if (target === '/livez') return healthAnswer(true, gatewayPid);
  if (target !== '/healthz' && target !== '/readyz') return 'agent_not_found';
  return healthAnswer(table.isLoaded() && !isDraining(), gatewayPid);
}
