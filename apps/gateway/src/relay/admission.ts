import type { RequestHead } from '../heads/request-head.ts';
import type { AnswerCode } from '../pages/answers.ts';
import { healthAnswer, type OwnAnswer } from '../pages/own-answer.ts';
import type { Route } from '../routes/route.ts';
import type { RelayParts } from './parts.ts';

/** Where a request goes: to an agent, to one that is looked for once more, or no further than an answer of the gateway's own. */
export type Direction = Route | Promise<Route | undefined> | OwnAnswer | AnswerCode;

export function directionOf(head: RequestHead, { readHost, table, isDraining }: RelayParts): Direction {
  const host = readHost(head.host);
  if (host.kind === 'invalid') return 'host_invalid';
  if (head.expects !== '' && head.expects !== '100-continue') return 'expectation_unknown';
  if (host.kind === 'other') return ownDirection(head.target, table.isLoaded() && !isDraining());
  if (!table.isLoaded()) return 'routes_unknown';
  const route = table.find(host.label);
  if (route === undefined) return 'agent_not_found';
  // Who deploys an agent and opens its address at once must not be told that it is starting when it serves already.
  return (route.target ? undefined : table.lookAgain(host.label)) ?? route;
}

function ownDirection(target: string, isReady: boolean): Direction {
  if (target === '/livez') return healthAnswer(true);
  return target === '/healthz' || target === '/readyz' ? healthAnswer(isReady) : 'agent_not_found';
}
