import { ApiError, type DeploymentStatus, type Environment } from '@paddock/contract';
import type { Sql } from '../../db/connect.ts';
import { paginate, readCursor } from '../../http/cursor.ts';

export interface AgentRow {
  id: string;
  name: string;
  project_id: string;
  environment: Environment;
  status: DeploymentStatus;
  /** When a deployment of the environment last became active. */
  last_deployment: string | null;
}
export type MetricsStore = ReturnType<typeof metricsStore>;

/** The agents, and their transitions. An agent is an environment of a project: its figures continue over its deployments. */
export const metricsStore = (sql: Sql) => {
  const columns = sql`
    d.id, p.name, d.project_id, d.environment, d.status,
    (
      select max(o.deployed_at)
      from deployments o
      where o.project_id = d.project_id
        and o.environment = d.environment
    ) as last_deployment`;

  return {
    async agent(team_id: string, id: string): Promise<AgentRow> {
      const [row] = await sql<AgentRow[]>`
        select ${columns}
        from deployments d
        join projects p on p.id = d.project_id
        where d.team_id = ${team_id}
          and d.id = ${id}
          and p.deleting_at is null`;
      if (!row) throw new ApiError('deployment_not_found');
      return row;
    },

    /** The agents that serve now, newest deployment first. */
    async active(team_id: string, { limit, cursor }: { limit: number; cursor?: string | undefined }) {
      const at = readCursor(cursor);
      const rows = await sql<(AgentRow & { created_at: string })[]>`
        select ${columns}, d.created_at
        from deployments d
        join projects p on p.id = d.project_id
        where d.team_id = ${team_id}
          and p.team_id = ${team_id}
          and d.is_current
          and d.status = 'active'
          and p.deleting_at is null
          ${at ? sql`and (d.created_at, d.id) < (${at.created_at}, ${at.id})` : sql``}
        order by d.created_at desc, d.id desc
        limit ${limit + 1}`;
      return paginate(rows, limit);
    },

    /** All deployments of an environment. */
    async deployments({ project_id, environment }: Pick<AgentRow, 'project_id' | 'environment'>): Promise<string[]> {
      const rows = await sql<{ id: string }[]>`
        select id
        from deployments
        where project_id = ${project_id}
          and environment = ${environment}`;
      return rows.map(({ id }) => id);
    },

    /** The environments of a team that have ever had a deployment, with all their deployments. */
    environments: (team_id: string) => sql<
      { project_id: string; environment: Environment; is_active: boolean; deployment_ids: string[] }[]
    >`
      select
        d.project_id, d.environment, bool_or(d.is_current and d.status = 'active') as is_active,
        array_agg(d.id) as deployment_ids
      from deployments d
      join projects p on p.id = d.project_id
      where d.team_id = ${team_id}
        and p.team_id = ${team_id}
        and p.deleting_at is null
      group by d.project_id, d.environment`,
  };
};
