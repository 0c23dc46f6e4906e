import { ApiError } from '@paddock/contract';
import { recordAction } from '../../audit/record-action.ts';
import type { Sql, Tx } from '../../db/connect.ts';
import { fenceRaised, released } from './leases.ts';
import type { DeploymentLog } from './run/worker-deps.ts';
import { visibleDeployments } from './visible.ts';

/**
 * Restarts these active deployments. The instance of each serves until its new one is ready, as in a redeploy, and no crash is counted.
 * `where`: a condition on `deployments`.
 */
async function restartWhere(tx: Tx, where: ReturnType<Sql>): Promise<{ id: string }[]> {
  const restarted = await tx<{ id: string }[]>`
    update deployments
    set
      instance_id = null,
      instance_port = null,
      restart_at = now(),
      ${fenceRaised(tx)},
      ${released(tx)}
    where status = 'active'
      and ${where}
    returning id`;
  for (const { id } of restarted) await tx`select pg_notify('work', ${id})`;
  return restarted;
}

/** Restarts the active deployment of an environment with current database addresses and passwords. */
export const restartAgents = (tx: Tx, { project_id, environment }: { project_id: string; environment: string }) =>
  restartWhere(tx, tx`project_id = ${project_id} and environment = ${environment} and database_mode = 'managed'`);

/** Restarts by users. One that is already due or on its way is not begun again. */
export const restartQueries = (sql: Sql) => {
  const { visible } = visibleDeployments(sql);
  return {
    restart: (team_id: string, id: string) =>
      sql.begin(async (tx) => {
        const restarted = await restartWhere(tx, tx`team_id = ${team_id} and id = ${id} and restart_at is null`);
        if (restarted.length === 0) {
          const [known] = await tx<{ status: string }[]>`select d.status ${visible(team_id, tx)} and d.id = ${id}`;
          if (known?.status !== 'active') throw new ApiError(known ? 'deployment_not_active' : 'deployment_not_found');
        }
        await recordAction(tx, id);
      }),
  };
};

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
