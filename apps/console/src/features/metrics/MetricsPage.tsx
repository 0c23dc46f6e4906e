import type { AgentMetrics, AgentSummary, MetricsRange } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Rocket } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { failureText, requestId } from '../../api/failure.ts';
import { filled } from '../../api/filled.ts';
import { ButtonLink } from '../../navigation/links.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { Icon } from '../../ui/theme/Icon.tsx';
import { AgentCharts } from './AgentCharts.tsx';
import { AgentFigures } from './AgentFigures.tsx';
import { AgentHead } from './AgentHead.tsx';
import { MetricsControls } from './MetricsControls.tsx';
import { activeAgentsQuery, agentMetricsQuery } from './queries.ts';
import { useShownAgent } from './use-shown-agent.ts';
import { agentName } from './words.ts';

const noAgents: readonly AgentSummary[] = [];

export function MetricsPage() {
  const { deployment, range = '24h' } = useSearch({ from: '/shell/metrics' });
  const navigate = useNavigate({ from: '/metrics' });
  const [isRenewed, setRenewed] = useState(true);
  const agents = useQuery(activeAgentsQuery);
  const active = agents.data ?? noAgents;
  const shown = useShownAgent(active, deployment);
  const query = useQuery({
    ...agentMetricsQuery(shown ?? '', range, { isRenewed }),
    enabled: shown !== undefined,
    // Figures of another agent would be read as those of this one; those of another range are shown faintly for a moment.
    placeholderData: (before, queryBefore) => (queryBefore?.queryKey[2] === shown ? before : undefined),
  });
  const isUnknown = query.error instanceof ApiError && query.error.code === 'deployment_not_found';
  const metrics = query.data;
  const go = (next: { deployment?: string | undefined; range: MetricsRange }) =>
    void navigate({
      search: filled({ deployment: next.deployment, range: next.range === '24h' ? undefined : next.range }),
      replace: true,
      resetScroll: false,
    });
  const renew = (next: boolean) => {
    setRenewed(next);
    if (next) void query.refetch();
  };
  if (isUnknown) return <Unknown agents={active} onAgent={(id) => go({ deployment: id, range })} />;
  if (agents.data && shown === undefined) return <NothingActive />;
  return (
    <>
      <PageHeader title="Metrics" />
      <MetricsControls
        agents={choices(active, metrics)}
        chosen={shown}
        range={range}
        isRenewed={isRenewed}
        loadedAt={metrics ? query.dataUpdatedAt : 0}
        busy={query.isFetching}
        onAgent={(id) => go({ deployment: id, range })}
        onRange={(next) => go({ deployment, range: next })}
        onRenewed={renew}
        onRefresh={() => void query.refetch()}
      />
      {agents.error ? <Failure of="The list of agents" query={agents} /> : null}
      {query.error ? <Failure of="The figures" query={query} /> : null}
      {metrics ? (
        <div className={query.isPlaceholderData ? 'opacity-55' : ''}>
          <AgentHead metrics={metrics} />
          <AgentFigures metrics={metrics} />
          <AgentCharts key={`${metrics.agent_id} ${metrics.time_range}`} metrics={metrics} />
        </div>
      ) : null}
      {metrics || query.error || agents.error ? null : <Skeleton kind="cards" rows={9} />}
    </>
  );
}

/** The active agents, and the one that is shown although it is not active. */
function choices(active: readonly AgentSummary[], shown: AgentMetrics | undefined): { id: string; label: string }[] {
  const all = active.map((agent) => ({ id: agent.agent_id, label: agentName(agent) }));
  if (!shown || all.some(({ id }) => id === shown.agent_id)) return all;
  return [{ id: shown.agent_id, label: `${agentName(shown)} (${shown.status}, …${shown.agent_id.slice(-4)})` }, ...all];
}

type Asked = { error: unknown; refetch: () => Promise<unknown>; isFetching: boolean };

const Failure = ({ of, query }: { of: string; query: Asked }) => (
  <div className="mb-4">
    <ErrorState
      message={failureText(query.error, `${of} could not be loaded. What runs is not affected.`) ?? ''}
      requestId={requestId(query.error)}
      onRetry={() => void query.refetch()}
      busy={query.isFetching}
    />
  </div>
);

function Unknown({ agents, onAgent }: { agents: readonly AgentSummary[]; onAgent: (id: string) => void }) {
  const others: ReactNode = (
    <div className="flex flex-wrap justify-center gap-2.5">
      {agents.slice(0, offered).map((agent) => (
        <Button key={agent.agent_id} onClick={() => onAgent(agent.agent_id)}>
          {agentName(agent)}
        </Button>
      ))}
    </div>
  );
  return (
    <>
      <PageHeader title="Metrics" />
      <EmptyState action={agents.length > 0 ? others : <ButtonLink to="/deployments">All deployments</ButtonLink>}>
        There is no such deployment. It may have gone with its project.
        {agents.length > 0 ? ' These agents are active:' : ''}
      </EmptyState>
    </>
  );
}

/** As many agents as are offered in the place of an unknown one. */
const offered = 8;

const NothingActive = () => (
  <>
    <PageHeader title="Metrics" />
    <EmptyState
      action={
        <ButtonLink to="/deployments" search={{ action: 'deploy' }} variant="primary" icon={<Icon of={Rocket} />}>
          Deploy agent
        </ButtonLink>
      }
      command="paddock deploy"
    >
      No agent is active. Requests, latency, errors, uptime and cost appear here once an agent serves. The page of an earlier deployment
      leads to its figures.
    </EmptyState>
  </>
);
