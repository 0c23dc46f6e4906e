import type { Client } from '@paddock/client';
import type { contract } from '@paddock/contract/routes';
import { answer, paginate } from '../../../demo/answering.ts';
import type { DemoWorld } from '../../../demo/demo-world.ts';
import { demoAgentMetrics, demoAgentSummary, rangeSteps } from './agent.ts';
import { findDemoEnvironment, servingOf } from './environments.ts';
import { buildSteps } from './steps.ts';
import { sumSteps } from './totals.ts';

/** Metrics of the demo: nothing is measured, but all figures are consistent with each other and with the deployments. */
export function demoMetrics(world: DemoWorld): Client<typeof contract>['metrics'] {
  return {
    agents: (input = {}, options) =>
      answer(() => {
        const { rows, next_cursor } = paginate(servingOf(world), input);
        return { agents: rows.map(({ id }) => demoAgentSummary(findDemoEnvironment(world, id), Date.now())), next_cursor };
      }, options),
    agent: ({ id, time_range = '24h' }, options) =>
      answer(() => demoAgentMetrics(findDemoEnvironment(world, id), time_range, Date.now()), options),
    system: ({ time_range = '24h' } = {}, options) =>
      answer(() => {
        const serving = servingOf(world);
        const span = rangeSteps(time_range, Date.now());
        const { requests, avgLatencyMs, errorRate, uptimePercent } = sumSteps(
          serving.flatMap(({ id }) => buildSteps(findDemoEnvironment(world, id), span)),
        );
        return {
          total_requests: requests,
          total_agents: serving.length,
          avg_latency_ms: avgLatencyMs,
          error_rate: errorRate,
          uptime_percentage: uptimePercent,
        };
      }, options),
  };
}
