import { type AgentSummary, metrics, type SystemMetrics } from '@paddock/contract';
import { type Handlers, serve } from '../../http/serve.ts';
import { agentMetrics, averageMs, errorRate, minutesOf, ms } from './agent-metrics.ts';
import type { MoveRow, MoveStore } from './move-store.ts';
import { buildSpan, spanOfSteps, stepsOf } from './span.ts';
import type { MetricsStore } from './store.ts';
import { noTraffic } from './traffic-rows.ts';
import type { TrafficStore } from './traffic-store.ts';
import { buildTimeline, uptime } from './uptime.ts';
import type { UsageStore } from './usage-store.ts';

interface Stores {
  store: MetricsStore;
  moves: MoveStore;
  traffic: Pick<TrafficStore, 'ofAgents' | 'ofTeam'>;
  usage: Pick<UsageStore, 'of' | 'latest'>;
}

const hourly = { points: 24, step_s: 3600 };

export const metricsHandlers = ({ store, moves: moved, traffic, usage }: Stores, now = () => new Date()): Handlers<typeof metrics> => ({
  async agent({ id, time_range }, { actor }) {
    const agent = await store.agent(actor.team_id, id);
    const at = now();
    const span = buildSpan(time_range, at);
    const deployment_ids = await store.deployments(agent);
    const [found, used, latest, moves] = await Promise.all([
      traffic.ofAgents([{ agent_id: id, deployment_ids }], span),
      usage.of(deployment_ids, span),
      usage.latest(id),
      moved.ofAgent(agent, span.from),
    ]);
    return agentMetrics({ agent, range: time_range, span, now: at, traffic: found.get(id), usage: used, latest, moves });
  },

  async agents(input, { actor }) {
    const at = now();
    const span = spanOfSteps(hourly, at);
    const { rows, next_cursor } = await store.active(actor.team_id, input);
    const asked = await Promise.all(rows.map(async (row) => ({ agent_id: row.id, deployment_ids: await store.deployments(row) })));
    const found = await traffic.ofAgents(asked, span);
    const agents = rows.map(({ id, name, project_id, environment, status }): AgentSummary => {
      const { total, steps } = found.get(id) ?? { total: noTraffic, steps: [] };
      const by = new Map(steps.map((step) => [step.at.getTime(), step.requests]));
      return {
        agent_id: id,
        agent_name: name,
        project_id,
        environment,
        status,
        requests_total: total.requests,
        requests_failed: total.statuses[4],
        error_rate: errorRate(total),
        p95_latency_ms: ms(total.p95_us),
        requests_per_minute: stepsOf(span).map((step) => ({
          timestamp: step.toISOString(),
          value: (by.get(step.getTime()) ?? 0) / minutesOf(step.getTime(), span, at),
        })),
      };
    });
    return { agents, next_cursor };
  },

  async system({ time_range }, { actor }): Promise<SystemMetrics> {
    const at = now();
    const span = buildSpan(time_range, at);
    const environments = await store.environments(actor.team_id);
    const [total, moves] = await Promise.all([
      traffic.ofTeam(
        environments.flatMap(({ deployment_ids }) => deployment_ids),
        span,
      ),
      moved.ofTeam(actor.team_id, span.from),
    ]);
    return {
      total_requests: total.requests,
      total_agents: environments.filter(({ is_active }) => is_active).length,
      avg_latency_ms: averageMs(total),
      error_rate: errorRate(total),
      uptime_percentage: uptimeOfAll(moves, { from: span.from.getTime(), to: at.getTime() }),
    };
  },
});

/** Uptime of all environments together, weighted by time. */
function uptimeOfAll(moves: readonly MoveRow[], span: { from: number; to: number }): number | null {
  const byEnvironment = Map.groupBy(moves, ({ project_id, environment }) => `${project_id} ${environment}`);
  const times = [...byEnvironment.values()].map((own) => uptime(buildTimeline(own, span.to), span));
  const wanted = times.reduce((sum, { wanted_ms }) => sum + wanted_ms, 0);
  if (wanted === 0) return null;
  return Math.min(100, (times.reduce((sum, { up_ms }) => sum + up_ms, 0) / wanted) * 100);
}

export const metricsRoutes = (stores: Stores) => serve(metrics, metricsHandlers(stores));
