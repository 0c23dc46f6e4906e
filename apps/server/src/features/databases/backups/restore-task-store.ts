import type { DatabaseAddress } from '@paddock/database-driver';
import type { Sql } from '../../../db/connect.ts';
import { backupFragments } from './backup-fragments.ts';

/** The state of a database during and after a restore. */
export const restoreTaskStore = (sql: Sql, node: string) => {
  const { mine } = backupFragments(sql, node);
  return {
    restoring: (id: string) => sql`
      update databases b
      set status = 'restoring', status_message = null
      where ${mine}
        and b.id = ${id}
        and b.wanted <> 'deleted'`,
    restored: (id: string, at: DatabaseAddress) => sql`
      update databases b
      set
        status = 'available',
        status_message = null,
        host = ${at.host},
        port = ${at.port},
        version = ${at.version}
      where ${mine}
        and b.id = ${id}
        and b.status = 'restoring'`,
    /**
     * The earlier content stays in use. A copy that was never created (it has no port) stays without content: starting it would give an
     * empty database.
     */
    notRestored: (id: string, message: string, was_failed: boolean) => sql`
      update databases b
      set
        status = case when b.port is null or ${was_failed} then 'failed' else 'available' end,
        wanted = case when b.port is null and b.wanted = 'running' then 'stopped' else b.wanted end,
        status_message = ${message}
      where ${mine}
        and b.id = ${id}
        and b.status = 'restoring'`,
  };
};
