import type { AgentMetrics, AgentSummary, MetricsPoint, MetricsRange } from '@paddock/contract';
import { computeHealth } from '@paddock/contract/health';
import { metricsPoints, metricsSeconds } from '@paddock/contract/limits';
import { unitPrices } from '@paddock/contract/plans';
import { hourMs } from '@paddock/contract/time';
import type { DemoEnvironment } from './environments.ts';
import { buildSteps, type DemoStep, type Steps, stepsUntil } from './steps.ts';
import { percentiles, sumSteps, type Totals } from './totals.ts';

const memoryLimitMb = 512;

export function rangeSteps(range: MetricsRange, now: number): Steps {
  return stepsUntil(now, metricsPoints[range], (metricsSeconds[range] / metricsPoints[range]) * 1000);
}

export function demoAgentMetrics(environment: DemoEnvironment, time_range: MetricsRange, now: number): AgentMetrics {
  const span = rangeSteps(time_range, now);
  const steps = buildSteps(environment, span);
  const totals = sumSteps(steps);
  const { requests, failed, refused } = totals;
  const shares = { uptime_percentage: totals.uptimePercent, error_rate: totals.errorRate, avg_latency_ms: totals.avgLatencyMs };
  const health = computeHealth(shares);
  const { p50, p95, p99 } = percentiles(totals.avgLatencyMs);
  const last = environment.asked.status === 'active' ? steps.at(-1) : undefined;
  return {
    ...toAgentFields(environment),
    last_deployment: environment.deployed[0]?.deployed_at ?? null,
    time_range,
    step_s: span.stepMs / 1000,
    requests_total: requests,
    requests_success: requests - failed - refused,
    requests_failed: failed,
    requests_by_status: { '1xx': 0, '2xx': requests - failed - refused, '3xx': 0, '4xx': refused, '5xx': failed },
    upstream_errors: Math.floor(failed / 3),
    ...shares,
    p50_latency_ms: p50,
    p95_latency_ms: p95,
    p99_latency_ms: p99,
    health_score: health?.score ?? null,
    health: health?.word ?? null,
    health_lowered_by: health?.lowered_by ?? null,
    ...computeCosts(totals),
    cpu_usage_percent: last ? last.cpuPercent : null,
    memory_usage_mb: last ? last.memoryMb : null,
    memory_limit_mb: last ? memoryLimitMb : null,
    restarts: totals.restarts,
    out_of_memory: totals.restarts,
    ...buildSeries(steps, span),
    deployments: environment.deployed
      .flatMap(({ id, deployed_at }) => (deployed_at && Date.parse(deployed_at) >= span.from ? [{ id, at: deployed_at }] : []))
      .toReversed(),
  };
}

export function demoAgentSummary(environment: DemoEnvironment, now: number): AgentSummary {
  const span = stepsUntil(now, 24, hourMs);
  const steps = buildSteps(environment, span);
  const { requests, failed, errorRate, avgLatencyMs } = sumSteps(steps);
  return {
    ...toAgentFields(environment),
    requests_total: requests,
    requests_failed: failed,
    error_rate: errorRate,
    p95_latency_ms: percentiles(avgLatencyMs).p95,
    requests_per_minute: steps.map((step) => pointAt(step, perMinute(step, span))),
  };
}

const toAgentFields = ({ asked, project_id, project_name, environment }: DemoEnvironment) => ({
  agent_id: asked.id,
  agent_name: project_name,
  project_id,
  environment,
  status: asked.status,
});

function computeCosts({ upMs, requests, bytesIn, bytesOut }: Totals) {
  const compute_cost_usd = ((upMs / hourMs) * unitPrices.compute_hour) / 100;
  const bandwidth_cost_usd = (((bytesIn + bytesOut) / 1e9) * unitPrices.bandwidth_gb) / 100;
  const cost = compute_cost_usd + bandwidth_cost_usd;
  return {
    running_s: upMs / 1000,
    bytes_in: bytesIn,
    bytes_out: bytesOut,
    cost_usd: Math.round(cost * 100) / 100,
    compute_cost_usd,
    bandwidth_cost_usd,
    cost_per_1k_requests_usd: requests > 0 ? (cost / requests) * 1000 : null,
  };
}

/** A step in which the agent was down is a gap; a step without requests has no latency. */
function buildSeries(steps: readonly DemoStep[], span: Steps) {
  const series = (value: (step: DemoStep) => number | null) => steps.map((step) => pointAt(step, value(step)));
  const whileUp = (value: (step: DemoStep) => number) => series((step) => (step.upMs > 0 ? value(step) : null));
  const ofRequests = (value: (step: DemoStep) => number | null) => series((step) => (step.requests > 0 ? value(step) : null));
  return {
    requests_per_minute: whileUp((step) => perMinute(step, span)),
    latency_over_time: ofRequests(({ latencyMs }) => latencyMs),
    p50_latency_over_time: ofRequests(({ latencyMs, tail }) => percentiles(latencyMs, tail).p50),
    p95_latency_over_time: ofRequests(({ latencyMs, tail }) => percentiles(latencyMs, tail).p95),
    p99_latency_over_time: ofRequests(({ latencyMs, tail }) => percentiles(latencyMs, tail).p99),
    error_rate_over_time: ofRequests(({ failed, requests }) => failed / requests),
    cpu_usage_over_time: whileUp(({ cpuPercent }) => cpuPercent),
    memory_usage_over_time: whileUp(({ memoryMb }) => memoryMb),
    bytes_over_time: whileUp(({ bytesIn, bytesOut }) => bytesIn + bytesOut),
    restarts_over_time: series(({ wantedMs, restarts }) => (wantedMs > 0 ? restarts : null)),
  };
}

/** Requests per minute of a step. The last step is not over: its requests are divided by the minutes so far, as on the server. */
const perMinute = ({ at, requests }: DemoStep, { now, stepMs }: Steps) =>
  requests / Math.max(1, Math.min(stepMs / 60_000, Math.ceil((now - at) / 60_000)));

const pointAt = ({ at }: DemoStep, value: number | null): MetricsPoint => ({ timestamp: new Date(at).toISOString(), value });
