import { join } from 'node:path';
import type { Core } from '../../core.ts';
import type { Sql } from '../../db/connect.ts';
import { byoCheck, type CheckByo } from './byo/byo-check.ts';
import { managedPorts } from './store.ts';

// Shared by the API and the background work of databases.

export const backupsDirOf = ({ dataDir }: Pick<Core['config'], 'dataDir'>) => join(dataDir, 'database-backups');

/** Managed databases count as the platform's own services, which a check must not connect to. */
export const createByoCheck = ({ egressAllow }: Pick<Core['config'], 'egressAllow'>, sql: Sql, services: Core['services']): CheckByo =>
  byoCheck({ egressAllow, services: async () => [...services, ...(await managedPorts(sql))] });
