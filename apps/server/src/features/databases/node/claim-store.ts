import type { Sql } from '../../../db/connect.ts';

/** Which databases this node has, and that all of them end with its server. */
export const claimStore = (sql: Sql, node: string, machine: string) => ({
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
    where b.mode = 'managed'
      and b.node = ${node}
      and b.machine is distinct from ${machine}`,

  /** Rows of databases that nobody ever prepared, and that nobody wants any more. */
  dropUnmade: () => sql`
    delete from databases
    where mode = 'managed'
      and node is null
      and wanted = 'deleted'`,

  /** With the server its databases end: other servers of the installation show them so. */
  ended: () => sql`
    update databases b
    set status = 'stopped', status_message = 'It ended with its server and starts with it again.'
    where b.mode = 'managed'
      and b.node = ${node}
      and b.wanted = 'running'
      and b.status = 'available'`,
});
