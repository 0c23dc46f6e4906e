import type { Core, Feature } from '../../core.ts';
import { moveStore } from './move-store.ts';
import { rollUp } from './roll-up.ts';
import { rollUpStore } from './roll-up-store.ts';
import { metricsRoutes } from './routes.ts';
import { metricsStore } from './store.ts';
import { trafficStore } from './traffic-store.ts';
import { type UsageStore, usageStore } from './usage-store.ts';
import { type AgentHealth, createAgentHealth } from './watch.ts';
import { watchStore } from './watch-store.ts';

/** Metrics of agents over time: visits, latency, uptime, resource usage and its cost. */
export function metricsFeature({ sql }: Pick<Core, 'sql'>): Feature<{ usage: UsageStore; watch: AgentHealth }> {
  const usage = usageStore(sql);
  const rolling = rollUpStore(sql);
  const moves = moveStore(sql);
  return {
    routes: [metricsRoutes({ store: metricsStore(sql), moves, traffic: trafficStore(sql), usage })],
    jobs: [
      { name: 'metrics.roll-up', everySeconds: 60, run: rollUp(rolling) },
      { name: 'metrics.sweep', everySeconds: 3600, run: () => rolling.sweep() },
    ],
    exports: { usage, watch: createAgentHealth(watchStore(sql), moves) },
  };
}
