import type { Sql } from '../../db/connect.ts';
import type { Seal } from '../../secrets/seal.ts';
import { olderAddresses } from './older-addresses.ts';
import { renewAgents, tellAgents } from './renew-agents.ts';
import type { RunParts } from './run/parts.ts';

/** What databases need of the deployments that use them. */
export const deploymentsForDatabases = (sql: Sql, seal: Seal, openLog: RunParts['openLog']) => ({
  renew: renewAgents,
  tell: tellAgents(sql, openLog),
  older: olderAddresses(sql, seal),
});
