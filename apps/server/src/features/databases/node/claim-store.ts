import type { Sql } from '../../../db/connect.ts';

/** Claims databases for this node, and marks them as stopped when its server ends. */
export const claimStore = (sql: Sql, node: string, machine: string) => ({
  /**
   * Claims rows that no node has: those of an environment whose deployment is on this node, and those without any pending or running
   * deployment. A deployment that is just being claimed claims its own databases.
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

  /** After a reboot this machine has another id. */
  settleMachine: () => sql`
    update databases b
    set machine = ${machine}
    where b.mode = 'managed'
      and b.node = ${node}
      and b.machine is distinct from ${machine}`,

  /** Deletes rows of databases that were never created and are no longer wanted. */
  dropUnmade: () => sql`
    delete from databases
    where mode = 'managed'
      and node is null
      and wanted = 'deleted'`,

  /** Databases end with their server: other servers of the installation show them as stopped. */
  ended: () => sql`
    update databases b
    set status = 'stopped', status_message = 'It ended with its server and starts with it again.'
    where b.mode = 'managed'
      and b.node = ${node}
      and b.wanted = 'running'
      and b.status = 'available'`,
});
