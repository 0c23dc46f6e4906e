import { contract } from '@paddock/contract';
import * as z from 'zod';
import { targetDeployment, targetShape } from './target.ts';
import { defineTool } from './tool.ts';

const { time_range } = contract.metrics.agent.input.shape;

export const getMetrics = defineTool({
  name: 'get_metrics',
  title: 'Get metrics',
  description:
    'Tells how an agent does over a range: requests, failures, latency, health, CPU, memory, restarts and cost in US dollars. Series over time are left out.',
  effect: 'reads',
  input: z.strictObject({ ...targetShape, time_range }),
  async run(call, { time_range, ...target }) {
    const { id } = await targetDeployment(call, target);
    const metrics = await call.server.api.metrics.agent({ id, time_range }, { signal: call.context.signal });
    const figures = Object.entries(metrics).filter(([name]) => !/_over_time$|^requests_per_minute$/.test(name));
    return { value: { metrics: Object.fromEntries(figures) } };
  },
});
