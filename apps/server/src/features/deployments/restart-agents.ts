import type { Sql, Tx } from '../../db/connect.ts';
import { fenceRaised, released } from './leases.ts';
import type { DeploymentLog } from './run/worker-deps.ts';

/**
 * Restarts the active deployment of an environment with current database addresses and passwords. Its instance serves until the new one is
 * ready, as in a redeploy, and no crash is counted.
 */
export async function restartAgents(tx: Tx, { project_id, environment }: { project_id: string; environment: string }): Promise<void> {
  const renewed = await tx<{ id: string }[]>`
    update deployments
    set
      instance_id = null,
      instance_port = null,
      restart_at = now(),
      ${fenceRaised(tx)},
      ${released(tx)}
    where project_id = ${project_id}
      and environment = ${environment}
      and database_mode = 'managed'
      and status = 'active'
    returning id`;
  for (const { id } of renewed) await tx`select pg_notify('work', ${id})`;
}

/** Serving deployments with managed databases of the environment, for lines in their logs. */
const agentsOf = (sql: Sql, { project_id, environment }: { project_id: string; environment: string }) => sql<
  { id: string; team_id: string }[]
>`
  select id, team_id
  from deployments
  where project_id = ${project_id}
    and environment = ${environment}
    and database_mode = 'managed'
    and status = 'active'`;

/** Writes a line to the logs of the environment's serving deployments with managed databases. */
export const logToAgents =
  (sql: Sql, openLog: (d: { id: string; team_id: string }) => DeploymentLog) =>
  async (of: { project_id: string; environment: string }, level: 'info' | 'warning', message: string): Promise<void> => {
    for (const d of await agentsOf(sql, of)) {
      const out = openLog(d);
      out.write('platform', level, message);
      await out.flush();
    }
  };
