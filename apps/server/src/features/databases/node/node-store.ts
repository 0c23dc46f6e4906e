import type { DatabaseAddress } from '@paddock/database-driver';
import type { Sql, Tx } from '../../../db/connect.ts';
import type { ManagedRow, Task } from '../rows.ts';
import { claimStore } from './claim-store.ts';
import { projectDeletionStore } from './project-deletion-store.ts';
import { taskStore } from './task-store.ts';

export type NodeDatabases = ReturnType<typeof nodeDatabases>;

/** The worker's queries: wanted and actual state of this node's databases. They change only this node's rows. */
export const nodeDatabases = (sql: Sql, node: string, machine: string) => {
  const mine = sql`b.mode = 'managed' and b.node = ${node}`;

  return {
    ...claimStore(sql, node, machine),
    ...projectDeletionStore(sql),
    ...taskStore(sql, node),

    mine: () => sql<ManagedRow[]>`
      select ${managedColumns(sql)}
      from databases b
      where ${mine}
      order by b.created_at, b.id`,

    async one(id: string): Promise<ManagedRow | undefined> {
      const [row] = await sql<ManagedRow[]>`
        select ${managedColumns(sql)}
        from databases b
        where ${mine}
          and b.id = ${id}`;
      return row;
    },

    /**
     * The database accepts connections at this address. If its port changed, compared to `row` or to the stored one, agents with the old
     * port are restarted in the same transaction. A database that was already available keeps its status message.
     */
    available: (
      row: Pick<ManagedRow, 'id' | 'project_id' | 'environment' | 'port'>,
      at: DatabaseAddress,
      renew: RestartAgents,
    ): Promise<{ moved: boolean }> =>
      sql.begin(async (tx) => {
        const [before] = await tx<{ port: number | null; is_attached: boolean }[]>`
          select b.port, b.is_attached
          from databases b
          where ${mine}
            and b.id = ${row.id}
          for update`;
        if (!before) return { moved: false };
        await tx`
          update databases
          set
            status = case
              when wanted = 'deleted' then status
              when exists (
                select 1
                from database_tasks t
                where t.database_id = databases.id
                  and t.kind = 'restore'
                  and t.status in ('queued', 'running')
              ) then 'restoring'
              else 'available'
            end,
            status_message = case when status = 'available' then status_message end,
            host = ${at.host},
            port = ${at.port},
            version = ${at.version},
            available_at = coalesce(available_at, now())
          where id = ${row.id}`;
        const moved = before.is_attached && [before.port, row.port].some((port) => port !== null && port !== at.port);
        if (moved) await renew(tx, row);
        return { moved };
      }),

    /** Records that the database is no longer, or not yet, available. */
    status: (id: string, status: 'provisioning' | 'stopped' | 'failed', message: string | null) => sql`
      update databases b
      set status = ${status}, status_message = ${message}
      where ${mine}
        and b.id = ${id}
        and b.wanted <> 'deleted'
        and (b.status, b.status_message) is distinct from (${status}, ${message})`,

    /** The server has its new password: from now on agents and users get that one. */
    rotated: (row: Pick<ManagedRow, 'id' | 'project_id' | 'environment'>, task: Task, renew: RestartAgents) =>
      sql.begin(async (tx) => {
        const [changed] = await tx<{ is_attached: boolean }[]>`
          update databases b
          set secret_sealed = ${task.secret_sealed}, secret_key_id = ${task.secret_key_id}
          where ${mine}
            and b.id = ${row.id}
          returning is_attached`;
        if (changed?.is_attached) await renew(tx, row);
      }),

    /** The data is removed. */
    removed: (id: string) => sql`
      delete from databases b
      where ${mine}
        and b.id = ${id}`,
  };
};

/** Restarts the agents of the environment with current addresses and passwords. */
export type RestartAgents = (tx: Tx, of: Pick<ManagedRow, 'project_id' | 'environment'>) => Promise<unknown>;

const managedColumns = (sql: Sql) => sql`
  b.id, b.team_id, b.project_id, b.environment, b.type, b.status, b.wanted, b.port, b.version, b.secret_sealed, b.secret_key_id,
  b.storage_limit_bytes::float8 as storage_limit_bytes, b.is_read_only`;
