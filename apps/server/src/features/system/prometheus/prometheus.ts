import type { Core } from '../../../core.ts';
import type { RouteSet } from '../../../http/serve.ts';
import { agentStore } from './agent-store.ts';
import { cached } from './cached.ts';
import { exposition } from './exposition.ts';
import { type OwnersReads, platformReads } from './platform-reads.ts';
import { prometheusRoutes } from './routes.ts';
import { readDisks } from './server-families.ts';

/** Several scrapers within this time cost as much as one. */
const keepMs = 5_000;

/** Prometheus metrics of this installation, over all teams: they are for the operator. Without a token the path does not exist. */
export function prometheus(
  { sql, limit, config, requests }: Pick<Core, 'sql' | 'limit' | 'config' | 'requests'>,
  owners: OwnersReads,
  version: string,
): RouteSet[] {
  const { metricsToken: token } = config;
  if (token === undefined) return [];
  const text = cached(
    exposition({ agents: agentStore(sql), platform: platformReads(sql, owners), requests, disks: () => readDisks(config), version }),
    keepMs,
  );
  return [prometheusRoutes({ token, limit, text })];
}
