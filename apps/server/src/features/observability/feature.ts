import type { Core, Feature } from '../../core.ts';
import { agentStore } from './agent-store.ts';
import { cached } from './cached.ts';
import { exposition } from './exposition.ts';
import { platformStore } from './platform-store.ts';
import { observabilityRoutes } from './routes.ts';
import { disksOf } from './server-families.ts';

/** Several scrapers within this time cost as much as one. */
const keepMs = 5_000;

/** Prometheus metrics of this installation, over all teams: they are for the operator. Without a token the path does not exist. */
export function observabilityFeature(
  { sql, limit, config, requests }: Pick<Core, 'sql' | 'limit' | 'config' | 'requests'>,
  version: string,
): Feature<undefined> {
  const { metricsToken: token } = config;
  if (token === undefined) return { routes: [], jobs: [], exports: undefined };
  const text = cached(
    exposition({ agents: agentStore(sql), platform: platformStore(sql), requests, disks: () => disksOf(config), version }),
    keepMs,
  );
  return { routes: [observabilityRoutes({ token, limit, text })], jobs: [], exports: undefined };
}
