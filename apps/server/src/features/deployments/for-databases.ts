import type { Sql } from '../../db/connect.ts';
import type { Seal } from '../../secrets/seal.ts';
import { legacyDatabaseUrls } from './legacy-database-urls.ts';
import { logToAgents, restartAgents } from './restart-agents.ts';
import type { WorkerDeps } from './run/worker-deps.ts';

/** Functions for databases to reach the deployments that use them. */
export const deploymentsForDatabases = (sql: Sql, seal: Seal, openLog: WorkerDeps['openLog']) => ({
  renew: restartAgents,
  tell: logToAgents(sql, openLog),
  older: legacyDatabaseUrls(sql, seal),
});
