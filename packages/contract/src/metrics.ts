import * as z from 'zod';
import { deploymentStatuses, Environment } from './deployments.ts';
import { healthFactors, healthWords } from './health.ts';
import { metricsRanges } from './limits.ts';
import { id, nextCursor, page, timestamp } from './lists.ts';
import { route } from './route.ts';

export const MetricsRange = z.enum(metricsRanges);
export type MetricsRange = z.infer<typeof MetricsRange>;

const count = z.number().int().min(0);
const ms = z.number().nullable();
const usd = z.number().min(0);

/** The beginning of a step (UTC). The value is null if nothing was measured in it: a gap is not zero. */
export const MetricsPoint = z.object({ timestamp, value: z.number().nullable() });
export type MetricsPoint = z.infer<typeof MetricsPoint>;
const series = z.array(MetricsPoint);

const agent = {
  agent_id: id('dep').meta({ description: 'The deployment that was asked for, or that serves' }),
  agent_name: z.string().meta({ description: 'The name of the project' }),
  project_id: id('prj'),
  environment: Environment,
  status: z.enum(deploymentStatuses),
};

export const AgentMetrics = z.object({
  ...agent,
  last_deployment: timestamp.nullable().meta({ description: 'When a deployment of this agent became active last' }),
  time_range: MetricsRange,
  step_s: count,
  requests_total: count,
  requests_success: count.meta({ description: 'Answered with 1xx, 2xx or 3xx' }),
  requests_failed: count.meta({ description: '5xx, time-outs and connections that failed; 4xx are the visitor’s and count as neither' }),
  requests_by_status: z.object({ '1xx': count, '2xx': count, '3xx': count, '4xx': count, '5xx': count }),
  upstream_errors: count.meta({ description: 'Of the failed ones, those for which the gateway got no whole answer' }),
  avg_latency_ms: ms.meta({
    description:
      'From the head of a request to the end of its answer, of streams and WebSockets to its beginning. Null without requests, as are all latencies and the error rate',
  }),
  p50_latency_ms: ms.meta({ description: 'Percentiles are those of all requests of the range, within 1 %' }),
  p95_latency_ms: ms,
  p99_latency_ms: ms,
  error_rate: z.number().nullable().meta({ description: 'requests_failed of requests_total, 0 to 1' }),
  uptime_percentage: z.number().nullable().meta({
    description:
      'Share of the time since it was first active, within the range, during which it was able to respond; null before. Time when someone had stopped it, or after a job ended, is excluded',
  }),
  health_score: z.number().nullable().meta({
    description: 'Mean of uptime, `(1 - error_rate) * 100` and `max(0, 100 - avg_latency_ms / 10)`; what was not measured counts as 100',
  }),
  health: z.enum(healthWords).nullable().meta({ description: 'The word for the score: from 90, from 75, from 50, below' }),
  health_lowered_by: z.enum(healthFactors).nullable().meta({ description: 'What cost most of the score; null at 100' }),
  running_s: z.number().meta({ description: 'Running time of all its deployments in the range' }),
  bytes_in: count,
  bytes_out: count,
  cost_usd: usd.meta({ description: 'compute_cost_usd and bandwidth_cost_usd, rounded to cents' }),
  compute_cost_usd: usd,
  bandwidth_cost_usd: usd,
  cost_per_1k_requests_usd: usd.nullable(),
  cpu_usage_percent: z.number().nullable().meta({ description: 'Of the cores that it may use, now; null while it does not run' }),
  memory_usage_mb: z.number().nullable(),
  memory_limit_mb: z.number().nullable(),
  restarts: count.meta({ description: 'Restarts after its process had ended by itself, or with its machine' }),
  out_of_memory: count.meta({ description: 'Of the restarts, those for lack of memory' }),
  requests_per_minute: series.meta({
    description: '0 in a step without requests in which the agent could answer; null where it could not',
  }),
  latency_over_time: series.meta({ description: 'Average, in ms; null in steps without a request' }),
  p50_latency_over_time: series,
  p95_latency_over_time: series,
  p99_latency_over_time: series,
  error_rate_over_time: series,
  cpu_usage_over_time: series.meta({ description: 'Percent of the cores that it may use' }),
  memory_usage_over_time: series.meta({ description: 'The most in each step, in MB' }),
  bytes_over_time: series.meta({ description: 'Bytes in and out, per step' }),
  restarts_over_time: series,
  deployments: z
    .array(z.object({ id: id('dep'), at: timestamp }))
    .meta({ description: 'Which deployments became active when, within the range; the series go on over all of them' }),
});
export type AgentMetrics = z.infer<typeof AgentMetrics>;

export const AgentSummary = z.object({
  ...agent,
  requests_total: count,
  requests_failed: count,
  error_rate: z.number().nullable(),
  p95_latency_ms: ms,
  requests_per_minute: series.meta({ description: '24 points, one per hour' }),
});
export type AgentSummary = z.infer<typeof AgentSummary>;

export const SystemMetrics = z.object({
  total_requests: count,
  total_agents: count.meta({ description: 'Environments with an active deployment' }),
  avg_latency_ms: ms,
  error_rate: z.number().nullable(),
  uptime_percentage: z.number().nullable().meta({ description: 'Of all agents together, weighted by their time' }),
});
export type SystemMetrics = z.infer<typeof SystemMetrics>;

const range = MetricsRange.default('24h');

export const metrics = {
  agents: route({
    method: 'GET',
    path: '/metrics/agents',
    access: 'agents:read',
    summary: 'Agents that are active, with their last 24 hours',
    errors: ['cursor_invalid'],
    input: z.strictObject({ ...page.shape }),
    output: z.object({ agents: z.array(AgentSummary), next_cursor: nextCursor }),
  }),
  agent: route({
    method: 'GET',
    path: '/metrics/agents/:id',
    access: 'agents:read',
    summary: 'What an agent did over time: 60, 48, 168 or 720 points per series',
    note: 'The figures are those of the environment, and go on over its deployments. A point names the beginning of its step, and the last step is not over. Minutes are kept for a week, hours for 90 days, days for two years.',
    errors: ['deployment_not_found'],
    input: z.strictObject({ id: id('dep'), time_range: range }),
    output: AgentMetrics,
  }),
  system: route({
    method: 'GET',
    path: '/metrics/system',
    access: 'agents:read',
    summary: 'All agents of the team together',
    input: z.strictObject({ time_range: range }),
    output: SystemMetrics,
  }),
};
