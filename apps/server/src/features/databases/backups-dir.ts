import { join } from 'node:path';
import type { Sql } from '../../db/connect.ts';
import type { Parts } from '../../parts.ts';
import { byoCheck, type CheckByo } from './byo/byo-check.ts';
import { managedPorts } from './store.ts';

// What the API and the background work of databases both need.

export const backupsDirOf = ({ dataDir }: Pick<Parts['config'], 'dataDir'>) => join(dataDir, 'database-backups');

/** Managed databases are services of ours as well. */
export const createByoCheck = ({ egressAllow }: Pick<Parts['config'], 'egressAllow'>, sql: Sql, services: Parts['services']): CheckByo =>
  byoCheck({ egressAllow, services: async () => [...services, ...(await managedPorts(sql))] });
