import type { AgentMetrics } from '@paddock/contract';
import { countText, dollarText, latencyText, percentText, shareText } from '@paddock/contract/figures';
import { Meter } from '../../ui/feedback/Meter.tsx';
import { bytesText } from '../../ui/text/bytes.ts';
import { FigureCard, Parts } from './FigureCard.tsx';
import { HealthCard } from './HealthCard.tsx';
import { Sourced } from './Sourced.tsx';
import { rangeWords, runningWords } from './words.ts';

const noRequests = 'No requests in this period';

/** Figures of an agent in the range. */
export function AgentFigures({ metrics }: { metrics: AgentMetrics }) {
  return (
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-4">
      <div className="min-w-0 sm:col-span-2 lg:col-span-4">
        <HealthCard metrics={metrics} />
      </div>
      <Requests metrics={metrics} />
      <Latency metrics={metrics} />
      <Errors metrics={metrics} />
      <Uptime metrics={metrics} />
      <Cost metrics={metrics} />
      <Load metrics={metrics} />
      <FigureCard
        label="Restarts"
        source="restarts"
        figure={countText(metrics.restarts)}
        parts={[['Out of memory', countText(metrics.out_of_memory)]]}
      />
      <FigureCard
        label="Traffic"
        source="traffic"
        figure={bytesText(metrics.bytes_in + metrics.bytes_out, 1000)}
        parts={[
          ['Received', bytesText(metrics.bytes_in, 1000)],
          ['Sent', bytesText(metrics.bytes_out, 1000)],
        ]}
      />
    </div>
  );
}

const None = () => <p className="text-sm text-muted">{noRequests}</p>;

function Requests({ metrics }: { metrics: AgentMetrics }) {
  const { requests_total, requests_success, requests_failed, requests_by_status, upstream_errors } = metrics;
  const parts: [string, string][] = [
    ['Success', countText(requests_success)],
    ['Failed', countText(requests_failed)],
    ['4xx', countText(requests_by_status['4xx'])],
  ];
  return (
    <FigureCard label="Requests" source="requests" figure={countText(requests_total)} parts={requests_total > 0 ? parts : []}>
      {requests_total === 0 ? <None /> : null}
      {upstream_errors > 0 ? (
        <p className="text-sm text-muted">{countText(upstream_errors)} of the failed ones without a complete response from the agent</p>
      ) : null}
    </FigureCard>
  );
}

function Latency({ metrics: { avg_latency_ms, p50_latency_ms, p95_latency_ms, p99_latency_ms } }: { metrics: AgentMetrics }) {
  const parts: [string, string][] = [
    ['p50', latencyText(p50_latency_ms)],
    ['p95', latencyText(p95_latency_ms)],
    ['p99', latencyText(p99_latency_ms)],
  ];
  return (
    <FigureCard label="Average latency" source="latency" figure={latencyText(avg_latency_ms)} parts={avg_latency_ms === null ? [] : parts}>
      {avg_latency_ms === null ? <None /> : null}
    </FigureCard>
  );
}

function Errors({ metrics: { error_rate, requests_failed, requests_total } }: { metrics: AgentMetrics }) {
  return (
    <FigureCard label="Error rate" source="errors" figure={shareText(error_rate)}>
      {error_rate === null ? (
        <None />
      ) : (
        <p className="text-sm text-muted">
          {countText(requests_failed)} of {countText(requests_total)} failed
        </p>
      )}
    </FigureCard>
  );
}

function Uptime({ metrics: { uptime_percentage, running_s, time_range } }: { metrics: AgentMetrics }) {
  return (
    <FigureCard label="Uptime" source="uptime" figure={percentText(uptime_percentage)}>
      <p className="text-sm text-muted">
        {uptime_percentage === null
          ? `Not active in the last ${rangeWords[time_range]}`
          : `${runningWords(running_s)} of running time in the last ${rangeWords[time_range]}`}
      </p>
    </FigureCard>
  );
}

function Cost({ metrics }: { metrics: AgentMetrics }) {
  const { cost_usd, compute_cost_usd, bandwidth_cost_usd, cost_per_1k_requests_usd } = metrics;
  return (
    <FigureCard
      label="Cost"
      source="cost"
      figure={dollarText(cost_usd)}
      parts={[
        ['Per 1K requests', dollarText(cost_per_1k_requests_usd)],
        ['Compute', dollarText(compute_cost_usd)],
        ['Bandwidth', dollarText(bandwidth_cost_usd)],
      ]}
    />
  );
}

/** Current CPU and memory usage against the limits. */
function Load({ metrics: { cpu_usage_percent: cpu, memory_usage_mb: memory, memory_limit_mb: limit } }: { metrics: AgentMetrics }) {
  return (
    <section aria-label="Load" className="flex min-w-0 flex-col gap-2 rounded-box border border-border bg-surface px-3.5 pt-2.5 pb-3">
      {cpu === null ? (
        <NotRunning label="CPU" source="cpu" />
      ) : (
        <LoadMeter label="CPU" source="cpu" value={Math.min(100, cpu)} max={100} text={`${percentText(cpu)} now`} />
      )}
      {memory === null || limit === null ? (
        <NotRunning label="Memory" source="memory" />
      ) : (
        <LoadMeter label="Memory" source="memory" value={memory} max={limit} text={memoryText(memory, limit)} />
      )}
    </section>
  );
}

type MeterProps = { label: string; source: 'cpu' | 'memory'; value: number; max: number; text: string };

function LoadMeter({ label, source, value, max, text }: MeterProps) {
  const share = max > 0 ? value / max : 0;
  const high = share >= 0.95 ? 'error' : 'warning';
  const tone = share >= 0.85 ? high : 'accent';
  return <Meter label={label} shownLabel={<Sourced label={label} source={source} />} value={value} max={max} text={text} tone={tone} />;
}

const NotRunning = ({ label, source }: { label: string; source: 'cpu' | 'memory' }) => (
  <div>
    <Sourced label={label} source={source} />
    <Parts of={[['Now', 'not running']]} />
  </div>
);

function memoryText(memory: number, limit: number): string {
  const bytes = (mb: number) => bytesText(mb * 1024 ** 2);
  return `${bytes(memory)} of ${bytes(limit)} (${Math.floor((memory / limit) * 100)} %)`;
}
