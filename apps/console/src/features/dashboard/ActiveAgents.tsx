import type { AgentSummary, MetricsPoint } from '@paddock/contract';
import { countText, latencyText, shareText } from '@paddock/contract/figures';
import { pluralWord } from '@paddock/contract/plural';
import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../../api/Loaded.tsx';
import { PageLink } from '../../navigation/links.tsx';
import { Sparkline } from '../../ui/charts/Sparkline.tsx';
import { type Column, Table } from '../../ui/layout/Table.tsx';
import { useZone, type Zone } from '../../ui/preferences/zone.ts';
import { absoluteClock } from '../../ui/text/time.ts';
import { firstAgentsQuery } from '../metrics/queries.ts';

/** Number of agents shown; the metrics page has all of them. */
const shownCount = 10;

/** The active agents with their last 24 hours; each links to its metrics. */
export function ActiveAgents() {
  const zone = useZone();
  const query = useQuery(firstAgentsQuery(shownCount));
  const rows = query.data?.agents ?? [];
  if (rows.length === 0 && !query.error) return null;
  const columns: Column<AgentSummary>[] = [
    {
      head: 'Agent',
      lead: true,
      cell: ({ agent_id, agent_name, environment }) => (
        <PageLink to="/metrics" search={{ deployment: agent_id }} aria-label={`Metrics of ${agent_name}, ${environment}`}>
          {agent_name}
          {environment === 'production' ? '' : `, ${environment}`}
        </PageLink>
      ),
    },
    {
      head: 'Requests',
      cell: (agent) => (
        <span className="inline-flex items-center gap-3">
          <span className="w-12 text-right">{countText(agent.requests_total)}</span>
          <Sparkline label={busiestText(agent, zone)} values={agent.requests_per_minute.map(({ value }) => value)} />
        </span>
      ),
    },
    { head: 'Error rate', numeric: true, cell: ({ error_rate }) => shareText(error_rate) },
    { head: 'p95 latency', numeric: true, cell: ({ p95_latency_ms }) => latencyText(p95_latency_ms) },
  ];
  return (
    <section aria-labelledby="agents" className="mb-4 min-w-0">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-3">
        <h2 id="agents" className="text-lg font-bold">
          Active agents, last 24 hours
        </h2>
        <PageLink to="/metrics">{query.data?.next_cursor ? 'All agents in Metrics' : 'Metrics'}</PageLink>
      </div>
      <Loaded query={query} failed="The active agents could not be loaded. They keep running." />
      {rows.length > 0 ? (
        <Table caption="Active agents, last 24 hours" columns={columns} rows={rows} rowKey={({ agent_id }) => agent_id} />
      ) : null}
    </section>
  );
}

/** Text of the sparkline: '1.2K requests, peak at 14:00'. */
function busiestText({ requests_total, requests_per_minute }: AgentSummary, zone: Zone): string {
  if (requests_total === 0) return 'No requests';
  const busiest = requests_per_minute.reduce<MetricsPoint | undefined>(
    (most, point) => ((point.value ?? 0) > (most?.value ?? 0) ? point : most),
    undefined,
  );
  const requests = `${countText(requests_total)} ${pluralWord(requests_total, 'request')}`;
  return busiest ? `${requests}, peak at ${absoluteClock(Date.parse(busiest.timestamp), zone)}` : requests;
}
