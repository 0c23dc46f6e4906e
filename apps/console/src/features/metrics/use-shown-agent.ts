import type { AgentSummary } from '@paddock/contract';
import { useState } from 'react';

/**
 * The shown agent: the one in the address, else the first active one. The first one is kept while the page is open, also across a new
 * deployment of it, so that deploying another agent does not change the figures under the reader.
 */
export function useShownAgent(agents: readonly AgentSummary[], asked: string | undefined): string | undefined {
  const [kept, keep] = useState<string>();
  if (asked !== undefined) return asked;
  const shown = agents.find((agent) => keyOf(agent) === kept) ?? agents[0];
  if (shown && keyOf(shown) !== kept) keep(keyOf(shown));
  return shown?.agent_id;
}

const keyOf = ({ project_id, environment }: AgentSummary) => `${project_id} ${environment}`;
