import { type AgentMetrics, computeHealth, type MetricsPoint, type MetricsRange } from '@paddock/contract';
import { unitPrices } from '@paddock/contract/plans';
import type { MoveRow } from './move-store.ts';
import { type Span, stepsOf } from './span.ts';
import type { AgentRow } from './store.ts';
import { noTraffic, type Traffic } from './traffic-rows.ts';
import type { TrafficOfAgent } from './traffic-store.ts';
import { buildTimeline, type Interval, type Timeline, uptime, within } from './uptime.ts';
import type { Usage, UsageStep } from './usage-store.ts';

interface Measured {
  agent: AgentRow;
  range: MetricsRange;
  span: Span;
  now: Date;
  traffic: TrafficOfAgent | undefined;
  usage: UsageStep[];
  latest: Usage | undefined;
  moves: readonly MoveRow[];
}

const MB = 1024 ** 2;
const restartWords = new Set(['crashed', 'out_of_memory', 'lost', 'node_died']);

/** Combines an agent's measurements in a range. */
export function agentMetrics({ agent, range, span, now, traffic, usage, latest, moves }: Measured): AgentMetrics {
  const within_ms: Interval = { from: span.from.getTime(), to: now.getTime() };
  const timeline = buildTimeline(moves, within_ms.to);
  const total = traffic?.total ?? noTraffic;
  const running_s = within(timeline.running, within_ms) / 1000;
  const { up_ms, wanted_ms } = uptime(timeline, within_ms);
  const shares = {
    uptime_percentage: wanted_ms > 0 ? Math.min(100, (up_ms / wanted_ms) * 100) : null,
    error_rate: errorRate(total),
    avg_latency_ms: averageMs(total),
  };
  const health = computeHealth(shares);
  const happened = moves.filter(({ at }) => at >= span.from);
  const restarts = happened.filter(({ why }) => restartWords.has(why));
  return {
    agent_id: agent.id,
    agent_name: agent.name,
    project_id: agent.project_id,
    environment: agent.environment,
    status: agent.status,
    last_deployment: agent.last_deployment,
    time_range: range,
    step_s: span.step_s,
    ...toRequestCounts(total),
    ...shares,
    p50_latency_ms: ms(total.p50_us),
    p95_latency_ms: ms(total.p95_us),
    p99_latency_ms: ms(total.p99_us),
    health_score: health?.score ?? null,
    health: health?.word ?? null,
    health_lowered_by: health?.lowered_by ?? null,
    running_s,
    ...computeCosts(running_s, total),
    cpu_usage_percent: latest ? latest.cpu_share * 100 : null,
    memory_usage_mb: latest ? latest.memory_bytes / MB : null,
    memory_limit_mb: latest ? latest.memory_limit_bytes / MB : null,
    restarts: restarts.length,
    out_of_memory: restarts.filter(({ why }) => why === 'out_of_memory').length,
    ...buildSeries({ span, now, timeline, steps: traffic?.steps ?? [], usage, restarts }),
    deployments: happened
      .filter(({ from_status, to_status }) => to_status === 'active' && from_status !== 'active')
      .map(({ deployment_id, at }) => ({ id: deployment_id, at: at.toISOString() })),
  };
}

export const errorRate = ({ requests, statuses }: Pick<Traffic, 'requests' | 'statuses'>) => (requests > 0 ? statuses[4] / requests : null);
export const averageMs = ({ requests, latency_us_sum }: Pick<Traffic, 'requests' | 'latency_us_sum'>) =>
  requests > 0 ? latency_us_sum / requests / 1000 : null;
export const ms = (us: number | null) => (us === null ? null : us / 1000);

function toRequestCounts({ requests, statuses, upstream_errors, bytes_in, bytes_out }: Traffic) {
  const [s1, s2, s3, s4, s5] = statuses;
  return {
    requests_total: requests,
    requests_success: s1 + s2 + s3,
    requests_failed: s5,
    requests_by_status: { '1xx': s1, '2xx': s2, '3xx': s3, '4xx': s4, '5xx': s5 },
    upstream_errors,
    bytes_in,
    bytes_out,
  };
}

/** Costs by the spec's unit prices, for actual running time and bytes. */
function computeCosts(running_s: number, { requests, bytes_in, bytes_out }: Traffic) {
  const compute_cost_usd = ((running_s / 3600) * unitPrices.compute_hour) / 100;
  const bandwidth_cost_usd = (((bytes_in + bytes_out) / 1e9) * unitPrices.bandwidth_gb) / 100;
  const cost = compute_cost_usd + bandwidth_cost_usd;
  return {
    cost_usd: Math.round(cost * 100) / 100,
    compute_cost_usd,
    bandwidth_cost_usd,
    cost_per_1k_requests_usd: requests > 0 ? (cost / requests) * 1000 : null,
  };
}

/**
 * The elapsed minutes of a step: the last one is not over, and would seem to have fewer requests than the others. Whole minutes, like the counts of
 * visits.
 */
export function minutesOf(at: number, { step_s }: Pick<Span, 'step_s'>, now: Date): number {
  return Math.max(1, Math.min(step_s / 60, Math.ceil((now.getTime() - at) / 60_000)));
}

interface Steps {
  span: Span;
  now: Date;
  timeline: Timeline;
  steps: TrafficOfAgent['steps'];
  usage: UsageStep[];
  restarts: readonly MoveRow[];
}

/** A step without requests is 0 if the agent was able to respond, and a gap if it was not. */
function buildSeries({ span, now, timeline, steps, usage, restarts }: Steps) {
  const traffic = new Map(steps.map((step) => [step.at.getTime(), step]));
  const used = new Map(usage.map((step) => [step.at.getTime(), step]));
  const stepMs = span.step_s * 1000;
  const starts = stepsOf(span).map((at) => at.getTime());
  const couldAnswer = (at: number) => within(timeline.up, { from: at, to: at + stepMs }) > 0;
  const wasWanted = (at: number) =>
    at < now.getTime() && uptime(timeline, { from: at, to: Math.min(at + stepMs, now.getTime()) }).wanted_ms > 0;
  const points = (value: (at: number) => number | null): MetricsPoint[] =>
    starts.map((at) => ({ timestamp: new Date(at).toISOString(), value: value(at) }));
  const ofTraffic = (value: (step: Traffic) => number | null) =>
    points((at) => {
      const step = traffic.get(at);
      return step ? value(step) : null;
    });
  const counted = (value: (step: Traffic) => number) =>
    points((at) => {
      const step = traffic.get(at);
      if (step) return value(step);
      return couldAnswer(at) ? 0 : null;
    });
  return {
    requests_per_minute: points((at) => {
      const step = traffic.get(at);
      if (step) return step.requests / minutesOf(at, span, now);
      return couldAnswer(at) ? 0 : null;
    }),
    bytes_over_time: counted(({ bytes_in, bytes_out }) => bytes_in + bytes_out),
    latency_over_time: ofTraffic(averageMs),
    p50_latency_over_time: ofTraffic(({ p50_us }) => ms(p50_us)),
    p95_latency_over_time: ofTraffic(({ p95_us }) => ms(p95_us)),
    p99_latency_over_time: ofTraffic(({ p99_us }) => ms(p99_us)),
    error_rate_over_time: ofTraffic(errorRate),
    cpu_usage_over_time: points((at) => {
      const step = used.get(at);
      return step ? step.cpu_share * 100 : null;
    }),
    memory_usage_over_time: points((at) => {
      const step = used.get(at);
      return step ? step.memory_bytes / MB : null;
    }),
    restarts_over_time: points((at) => {
      const count = restarts.filter((move) => move.at.getTime() >= at && move.at.getTime() < at + stepMs).length;
      return count > 0 || wasWanted(at) ? count : null;
    }),
  };
}
