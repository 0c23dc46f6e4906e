import { join } from 'node:path';
import type { Sql } from '../../db/connect.ts';
import type { Parts } from '../../parts.ts';
import { byoCheck, type CheckByo } from './byo/byo-check.ts';
import { managedPorts } from './store.ts';

// What the API and the background work of databases both need.

export const backupsDirOf = ({ data_dir }: Pick<Parts['config'], 'data_dir'>) => join(data_dir, 'database-backups');

/** Managed databases are services of ours as well. */
export const checkOf = ({ egress_allow }: Pick<Parts['config'], 'egress_allow'>, sql: Sql, services: Parts['services']): CheckByo =>
  byoCheck({ egress_allow, services: async () => [...services, ...(await managedPorts(sql))] });
