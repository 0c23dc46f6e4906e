import type { AgentSummary } from '@paddock/contract';
import { useState } from 'react';

/**
 * The agent that is shown: the one of the address, else the first active one. The first one stays while the page is open, also over a new
 * deployment of it: no figures change under the reader because another agent was deployed.
 */
export function useShownAgent(agents: readonly AgentSummary[], asked: string | undefined): string | undefined {
  const [kept, keep] = useState<string>();
  if (asked !== undefined) return asked;
  const shown = agents.find((agent) => keyOf(agent) === kept) ?? agents[0];
  if (shown && keyOf(shown) !== kept) keep(keyOf(shown));
  return shown?.agent_id;
}

const keyOf = ({ project_id, environment }: AgentSummary) => `${project_id} ${environment}`;
