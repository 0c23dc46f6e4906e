import { ApiError } from '@paddock/contract';
import type { Sql, Tx } from '../../db/connect.ts';
import { type DeploymentRow, deploymentColumns } from './rows.ts';

/** Deployments visible to a team, and how they are shown. */
export const visibleDeployments = (sql: Sql) => {
  // The team is named twice: from the condition on deployments alone, PostgreSQL does not conclude that it can skip other teams' projects.
  const visible = (team_id: string, tx: Tx = sql) => tx`
    from deployments d
    join projects p on p.id = d.project_id
    where d.team_id = ${team_id}
      and p.team_id = ${team_id}
      and p.deleting_at is null`;

  // The environment's current databases, which the next start gets.
  const injected = sql`
    (
      select coalesce(
        json_agg(
          json_build_object(
            'id', b.id,
            'type', b.type,
            'status', b.status,
            'env_var', case b.type when 'redis' then 'REDIS_URL' else 'DATABASE_URL' end
          )
          order by b.type
        ),
        '[]'
      )
      from databases b
      where b.team_id = d.team_id
        and b.project_id = d.project_id
        and b.environment = d.environment
        and b.mode = d.database_mode
        and b.is_attached
        and b.wanted <> 'deleted'
    ) as databases`;

  const spoken = sql`
    (
      select s.protocols
      from deployment_protocols s
      where s.team_id = d.team_id
        and s.deployment_id = d.id
    ) as protocols,
    (
      select s.host_header
      from deployment_protocols s
      where s.team_id = d.team_id
        and s.deployment_id = d.id
    ) as host_header`;

  const get = async (team_id: string, id: string): Promise<DeploymentRow> => {
    const [row] = await sql<DeploymentRow[]>`
      select ${deploymentColumns(sql)}, d.plan, d.failure_choices, ${injected}, ${spoken} ${visible(team_id)} and d.id = ${id}`;
    if (!row) throw new ApiError('deployment_not_found');
    return row;
  };

  return { visible, get };
};
