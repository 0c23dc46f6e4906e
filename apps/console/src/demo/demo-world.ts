import type { Alert, ApiKey, ModelPrice, Project, Variable } from '@paddock/contract';
import { sampleAlerts } from '../features/alerts/bell/demo/samples.ts';
import { type DemoChannel, sampleChannels } from '../features/alerts/channels/demo/samples.ts';
import { sampleKeys } from '../features/api-keys/demo/samples.ts';
import { databaseWorld } from '../features/databases/demo/world.ts';
import { deploymentWorld } from '../features/deployments/demo/world.ts';
import { sampleProjects } from '../features/projects/demo/samples.ts';
import { sampleModelPrices } from '../features/traces/demo/prices.ts';
import { sampleVariables } from '../features/variables/demo/samples.ts';

export type DemoWorld = ReturnType<typeof createDemoWorld>;

/** All data of the demo. Deployments and databases change over time, driven by their own parts of the world. */
export function createDemoWorld(now = Date.now()) {
  const projects: Project[] = sampleProjects(now);
  const variables: (Variable & { project_id: string })[] = sampleVariables(now);
  const keys: ApiKey[] = sampleKeys(now);
  const alerts: Alert[] = sampleAlerts(now);
  const channels: DemoChannel[] = sampleChannels(now);
  const modelPrices: ModelPrice[] = sampleModelPrices();
  const watchers = new Set<() => void>();
  let version = 1;

  function wrote() {
    for (const tell of watchers) tell();
  }

  function changed() {
    version += 1;
    wrote();
  }

  return {
    ...deploymentWorld(now, { changed, wrote }),
    ...databaseWorld(now, { changed, alerts }),
    projects,
    variables,
    keys,
    alerts,
    channels,
    modelPrices,
    version: () => version,
    changed,

    /** Notifies of every change and every new log line, until the signal aborts. */
    watch(tell: () => void, signal: AbortSignal) {
      watchers.add(tell);
      signal.addEventListener('abort', () => watchers.delete(tell), { once: true });
    },
  };
}

/** The demo data of this page: changes last until reload. */
export const demoWorld = createDemoWorld();
