import type { AgentMetrics, AgentSummary, MetricsRange } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Rocket } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { filled } from '../../api/filled.ts';
import { Loaded } from '../../api/Loaded.tsx';
import { ButtonLink } from '../../navigation/links.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { Tabs } from '../../ui/layout/Tabs.tsx';
import { Icon } from '../../ui/theme/Icon.tsx';
import { AgentCharts } from './AgentCharts.tsx';
import { AgentFigures } from './AgentFigures.tsx';
import { AgentHead } from './AgentHead.tsx';
import { AgentSelect } from './AgentSelect.tsx';
import { MetricsControls } from './MetricsControls.tsx';
import { activeAgentsQuery, agentMetricsQuery } from './queries.ts';
import { useShownAgent } from './use-shown-agent.ts';
import { agentName } from './words.ts';

const TracesPanel = lazy(() => import('../traces/TracesPanel.tsx').then((module) => ({ default: module.TracesPanel })));
const ModelUsageCard = lazy(() => import('../traces/usage/ModelUsageCard.tsx').then((module) => ({ default: module.ModelUsageCard })));

const noAgents: readonly AgentSummary[] = [];
const tabs = [
  { id: 'figures', label: 'Figures' },
  { id: 'traces', label: 'Traces' },
] as const;

export function MetricsPage() {
  const { deployment, range = '24h', tab = 'figures', ...traceView } = useSearch({ from: '/shell/metrics' });
  const navigate = useNavigate({ from: '/metrics' });
  const [isRenewed, setRenewed] = useState(true);
  const agents = useQuery(activeAgentsQuery);
  const active = agents.data ?? noAgents;
  const shown = useShownAgent(active, deployment);
  const query = useQuery({
    ...agentMetricsQuery(shown ?? '', range, { isRenewed: isRenewed && tab === 'figures' }),
    enabled: shown !== undefined,
    // Figures of another agent would be mistaken for this one's; those of another range are shown faded while loading.
    placeholderData: (before, queryBefore) => (queryBefore?.queryKey[2] === shown ? before : undefined),
  });
  const isUnknown = query.error instanceof ApiError && query.error.code === 'deployment_not_found';
  const metrics = query.data;
  const kept = range === '24h' ? undefined : range;
  const go = (next: { deployment?: string | undefined; range: MetricsRange; tab: Tab }) =>
    void navigate({
      search: filled({
        deployment: next.deployment,
        range: next.range === '24h' ? undefined : next.range,
        tab: next.tab === 'traces' ? next.tab : undefined,
      }),
      replace: true,
      resetScroll: false,
    });
  const renew = (next: boolean) => {
    setRenewed(next);
    if (next) void query.refetch();
  };
  const choose = (id: string) => go({ deployment: id, range, tab });
  if (isUnknown) return <Unknown agents={active} onAgent={choose} />;
  if (agents.data && shown === undefined) return <NothingActive />;
  const figures = (
    <>
      <MetricsControls
        range={range}
        isRenewed={isRenewed}
        loadedAt={metrics ? query.dataUpdatedAt : 0}
        busy={query.isFetching}
        onRange={(next) => go({ deployment, range: next, tab })}
        onRenewed={renew}
        onRefresh={() => void query.refetch()}
      />
      <Loaded query={query} failed={failedToLoad('The metrics')} isSpaced />
      {metrics ? (
        <div className={query.isPlaceholderData ? 'opacity-55' : ''} aria-busy={query.isPlaceholderData}>
          <AgentHead metrics={metrics} />
          <AgentFigures metrics={metrics} />
          <AgentCharts key={`${metrics.agent_id} ${metrics.time_range}`} metrics={metrics} />
          <Suspense fallback={<Skeleton rows={4} />}>
            <ModelUsageCard agent={toUsageAgent(metrics)} range={metrics.time_range} isRenewed={isRenewed} />
          </Suspense>
        </div>
      ) : null}
      {metrics || query.error || agents.error ? null : <Skeleton kind="cards" rows={9} />}
    </>
  );
  const traces = shown ? (
    <TracesPanel
      key={shown}
      deploymentId={shown}
      view={{ ...traceView, range: kept }}
      queryOf={(view) => filled({ deployment: shown, tab: 'traces', ...view })}
      isRenewed={isRenewed}
      onRenewed={setRenewed}
    />
  ) : null;
  return (
    <>
      <PageHeader title="Metrics" />
      <AgentSelect agents={choices(active, metrics)} chosen={shown} onAgent={choose} />
      <Loaded query={agents} failed={failedToLoad('The list of agents')} isSpaced />
      <Tabs label="Metrics" tabs={tabs} value={tab} onChange={(next) => go({ deployment, range, tab: next })}>
        <Suspense fallback={<Skeleton rows={6} />}>{tab === 'traces' ? traces : figures}</Suspense>
      </Tabs>
    </>
  );
}

const toUsageAgent = ({ agent_name: name, project_id, environment }: AgentMetrics) => ({ name, project_id, environment });

type Tab = (typeof tabs)[number]['id'];

/** The active agents, and the shown one if it is not active. */
function choices(active: readonly AgentSummary[], shown: AgentMetrics | undefined): { id: string; label: string }[] {
  const all = active.map((agent) => ({ id: agent.agent_id, label: agentName(agent) }));
  if (!shown || all.some(({ id }) => id === shown.agent_id)) return all;
  return [{ id: shown.agent_id, label: `${agentName(shown)} (${shown.status}, …${shown.agent_id.slice(-4)})` }, ...all];
}

const failedToLoad = (subject: string) => `${subject} could not be loaded. Running agents are not affected.`;

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
        Deployment not found. It may have been deleted with its project.
        {agents.length > 0 ? ' These agents are active:' : ''}
      </EmptyState>
    </>
  );
}

/** Number of agents suggested instead of an unknown one. */
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
      No active agents. Requests, latency, errors, uptime and cost appear here once an agent is serving. To see the metrics of an earlier
      deployment, open its page.
    </EmptyState>
  </>
);
