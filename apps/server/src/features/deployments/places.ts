import type { Sql, Tx } from '../../db/connect.ts';

/**
 * True of a deployment `d` whose managed databases another machine has: it can only run there. After a reboot a node's own rows bear the machine's
 * old name for a moment, and still count as its own.
 */
export const databasesElsewhere = (sql: Sql | Tx, node: string, machine: string) => sql`(
  d.database_mode = 'managed' and exists (select 1 from databases b where b.project_id = d.project_id and b.environment = d.environment
    and b.mode = 'managed' and b.is_attached and b.node is not null and b.node <> ${node} and b.machine <> ${machine}))`;

/**
 * Has the active deployment of an environment start anew, with the databases' addresses and passwords of today. Its instance serves until the new one is
 * ready, as in a redeploy, and no crash is counted.
 */
export async function renewAgents(tx: Tx, { project_id, environment }: { project_id: string; environment: string }): Promise<void> {
  const renewed = await tx<{ id: string }[]>`
    update deployments set instance_id = null, instance_port = null, restart_at = now(), fence = fence + 1, lease_owner = null, lease_until = null
    where project_id = ${project_id} and environment = ${environment} and database_mode = 'managed' and status = 'active' returning id`;
  for (const { id } of renewed) await tx`select pg_notify('work', ${id})`;
}

/** Those that get managed databases of the environment and serve: for lines in their logs. */
export const agentsOf = (sql: Sql, { project_id, environment }: { project_id: string; environment: string }) => sql<
  { id: string; team_id: string }[]
>`
  select id, team_id from deployments
  where project_id = ${project_id} and environment = ${environment} and database_mode = 'managed' and status = 'active'`;
