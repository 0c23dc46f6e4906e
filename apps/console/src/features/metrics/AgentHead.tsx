import type { AgentMetrics } from '@paddock/contract';
import { PageLink } from '../../navigation/links.tsx';
import { StatusBadge } from '../../ui/feedback/StatusBadge.tsx';
import { Timestamp } from '../../ui/text/Timestamp.tsx';
import { agentName } from './words.ts';

/** The agent, its status and its last deployment. */
export function AgentHead({ metrics }: { metrics: AgentMetrics }) {
  const { agent_id, status, last_deployment } = metrics;
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-muted">
      <h2 className="text-lg font-bold break-words text-text">{agentName(metrics)}</h2>
      <StatusBadge status={status} />
      {last_deployment ? (
        <span>
          Deployed <Timestamp at={last_deployment} />
        </span>
      ) : null}
      <PageLink to="/deployments/$id" params={{ id: agent_id }}>
        Show deployment
      </PageLink>
      {status === 'active' ? null : (
        <p className="basis-full">
          This deployment {status === 'stopped' || status === 'failed' || status === 'completed' ? `is ${status}` : 'is not serving yet'}.
          The metrics cover all deployments in its environment.
        </p>
      )}
    </div>
  );
}
