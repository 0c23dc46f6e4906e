import type { Sql, Tx } from '../../db/connect.ts';

/**
 * True for a deployment `d` whose managed databases are on another machine: it can only run there. For a moment after a reboot, a node's
 * own rows still have the machine's old id; they count as its own.
 */
export const hasDatabasesElsewhere = (sql: Sql | Tx, node: string, machine: string) => sql`
  (
    d.database_mode = 'managed'
    and exists (
      select 1
      from databases b
      where b.project_id = d.project_id
        and b.environment = d.environment
        and b.mode = 'managed'
        and b.is_attached
        and b.node is not null
        and b.node <> ${node}
        and b.machine <> ${machine}
    )
  )`;
