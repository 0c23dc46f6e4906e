import type { DatabaseAddress } from '@paddock/database-driver';
import type { Sql, Tx } from '../../../db/connect.ts';
import type { ManagedRow, Task } from '../rows.ts';

export type NodeDatabases = ReturnType<typeof nodeDatabases>;

/** Tasks that the end of a server cut short so often are given up: something about them ends it. */
const attemptsMost = 3;

/** The side of the node that has databases: what they should be, and what has become of them. Only its own rows are ever changed. */
export const nodeDatabases = (sql: Sql, node: string, machine: string) => {
  const columns = sql`b.id, b.team_id, b.project_id, b.environment, b.type, b.status, b.wanted, b.port, b.version, b.secret_sealed, b.secret_key_id,
    b.storage_limit_bytes::float8 as storage_limit_bytes, b.is_read_only`;
  const mine = sql`b.mode = 'managed' and b.node = ${node}`;

  return {
    /**
     * Takes rows that no node has: those of an environment whose deployment is here, and those for which no deployment is on its way any more.
     * A deployment that is just being claimed takes its own.
     */
    claim: () => sql`
      update databases b
      set node = ${node}, machine = ${machine}
      where b.mode = 'managed'
        and b.node is null
        and b.wanted <> 'deleted'
        and (
          exists (
            select 1
            from deployments d
            where d.project_id = b.project_id
              and d.environment = b.environment
              and d.database_mode = 'managed'
              and d.node = ${node}
              and d.status in ('deploying', 'active')
          )
          or (
            b.created_at < now() - interval '5 seconds'
            and not exists (
              select 1
              from deployments d
              where d.project_id = b.project_id
                and d.environment = b.environment
                and d.database_mode = 'managed'
                and d.status in ('queued', 'building', 'deploying', 'active')
            )
          )
        )`,

    /** After a reboot this machine has another name. */
    settleMachine: () => sql`
      update databases b
      set machine = ${machine}
      where ${mine}
        and b.machine is distinct from ${machine}`,

    /** Rows of databases that nobody ever prepared, and that nobody wants any more. */
    dropUnmade: () => sql`
      delete from databases
      where mode = 'managed'
        and node is null
        and wanted = 'deleted'`,

    mine: () => sql<ManagedRow[]>`
      select ${columns}
      from databases b
      where ${mine}
      order by b.created_at, b.id`,

    async one(id: string): Promise<ManagedRow | undefined> {
      const [row] = await sql<ManagedRow[]>`
        select ${columns}
        from databases b
        where ${mine}
          and b.id = ${id}`;
      return row;
    },

    /**
     * It accepts connections there. When its port was another one before, by `row` or by what is stored, the agents that have the old one are renewed
     * in the same transaction: neither is ever done without the other. What the message of one that was available says stays.
     */
    available: (
      row: Pick<ManagedRow, 'id' | 'project_id' | 'environment' | 'port'>,
      at: DatabaseAddress,
      renew: Renew,
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

    /** It is not available any more, or not yet. */
    status: (id: string, status: 'provisioning' | 'stopped' | 'failed', message: string | null) => sql`
      update databases b
      set status = ${status}, status_message = ${message}
      where ${mine}
        and b.id = ${id}
        and b.wanted <> 'deleted'
        and (b.status, b.status_message) is distinct from (${status}, ${message})`,

    /** The server is told its new password: from now on agents and people get that one. */
    rotated: (row: Pick<ManagedRow, 'id' | 'project_id' | 'environment'>, task: Task, renew: Renew) =>
      sql.begin(async (tx) => {
        const [changed] = await tx<{ is_attached: boolean }[]>`
          update databases b
          set secret_sealed = ${task.secret_sealed}, secret_key_id = ${task.secret_key_id}
          where ${mine}
            and b.id = ${row.id}
          returning is_attached`;
        if (changed?.is_attached) await renew(tx, row);
      }),

    /** Its data is gone. */
    removed: (id: string) => sql`
      delete from databases b
      where ${mine}
        and b.id = ${id}`,

    /** The oldest open task of each of this node's databases. One that was under way when a server ended counts as open. */
    openTasks: () => sql<Task[]>`
      select distinct on (t.database_id)
        t.id, t.team_id, t.database_id, t.kind, t.backup_id, t.secret_sealed, t.secret_key_id, t.attempts, t.of_failed
      from database_tasks t
      join databases b on b.id = t.database_id
      where ${mine}
        and t.status in ('queued', 'running')
      order by t.database_id, t.created_at, t.id`,

    /** False when it was begun too often already: it has failed then. */
    async begin(task: Task): Promise<boolean> {
      const [row] = await sql<{ status: string }[]>`
        update database_tasks
        set
          attempts = attempts + 1,
          status = case when attempts >= ${attemptsMost} then 'failed' else 'running' end,
          error_message = case when attempts >= ${attemptsMost} then ${`The server ended ${attemptsMost} times while this was under way.`} end,
          finished_at = case when attempts >= ${attemptsMost} then now() end
        where id = ${task.id}
          and status in ('queued', 'running')
        returning status`;
      return row?.status === 'running';
    },
    handBack: (task: Task) => sql`
      update database_tasks
      set attempts = greatest(0, attempts - 1), status = 'queued'
      where id = ${task.id}
        and status = 'running'`,
    finish: (task: Task, error_message: string | null) =>
      sql.begin(async (tx) => {
        await tx`
          update database_tasks
          set
            status = ${error_message === null ? 'done' : 'failed'},
            error_message = ${error_message},
            finished_at = now(),
            secret_sealed = null,
            secret_key_id = null
          where id = ${task.id}
            and status = 'running'`;
        await tx`select pg_notify('databases', ${task.id})`;
      }),

    /** With the server everything of it ends: other servers of the installation show it so. */
    ended: () => sql`
      update databases b
      set status = 'stopped', status_message = 'It ended with its server and starts with it again.'
      where ${mine}
        and b.wanted = 'running'
        and b.status = 'available'`,

    /**
     * Of projects that are being deleted: all are to go. Those of nodes that nobody knows any more are forgotten with their data, which nobody can
     * reach; what addresses were brought along is forgotten. Returns what was dropped that way.
     */
    async endDeleted(): Promise<{ id: string; node: string }[]> {
      await sql`
        update databases b
        set
          wanted = 'deleted',
          status = 'deleting',
          status_message = null,
          is_attached = false
        from projects p
        where p.id = b.project_id
          and p.deleting_at is not null
          and b.mode = 'managed'
          and b.wanted <> 'deleted'
          and not exists (
            select 1
            from deployments d
            where d.project_id = p.id
              and (d.drain_until is not null or d.status in ('queued', 'building', 'deploying', 'active'))
          )`;
      await sql`
        delete from databases b
        using projects p
        where p.id = b.project_id
          and p.deleting_at is not null
          and b.mode = 'byo'`;
      return sql<{ id: string; node: string }[]>`
        delete from databases b
        where b.mode = 'managed'
          and b.wanted = 'deleted'
          and b.node is not null
          and not exists (
            select 1
            from nodes n
            where n.label = b.node
          )
        returning b.id, b.node`;
    },
    async remaining(project_id: string): Promise<number> {
      const [row] = await sql<[{ n: number }]>`
        select count(*)::int as n
        from databases
        where project_id = ${project_id}`;
      return row.n;
    },
  };
};

/** Has the agents of the environment start anew, with the addresses and passwords of today. */
export type Renew = (tx: Tx, of: Pick<ManagedRow, 'project_id' | 'environment'>) => Promise<unknown>;
