import type { DeploymentStatus, Environment } from '@paddock/contract';
import type { Sql } from '../../db/connect.ts';
import { paginate, readCursor } from '../../http/cursor.ts';
import { type DeploymentRow, deploymentColumns } from './rows.ts';
import { sharedCounts } from './shared-counts.ts';
import { visibleDeployments } from './visible.ts';

interface Asked {
  limit: number;
  cursor?: string | undefined;
  project_id?: string | undefined;
  status?: DeploymentStatus | undefined;
  environment?: Environment | undefined;
}

/** Pages of a team's deployments, newest first, with their totals. */
export const deploymentLists = (sql: Sql) => {
  const { visible } = visibleDeployments(sql);
  const counted = sharedCounts();

  return async (team_id: string, input: Asked) => {
    const at = readCursor(input.cursor);
    const filter = sql`
      ${input.project_id ? sql`and d.project_id = ${input.project_id}` : sql``}
      ${input.status ? sql`and d.status = ${input.status}` : sql``}
      ${input.environment ? sql`and d.environment = ${input.environment}` : sql``}`;
    const count = async () => {
      const [row] = await sql<[{ version: number; total: number; active: number }]>`
        select
          (
            select version
            from teams
            where id = ${team_id}
          ) as version,
          count(*)::int as total,
          count(*) filter (where d.status = 'active')::int as active
        ${visible(team_id)}
          ${filter}`;
      return row;
    };
    const counts = async () => {
      const [team] = await sql<{ version: number }[]>`
        select version
        from teams
        where id = ${team_id}`;
      return counted([team_id, input.project_id, input.status, input.environment].join(), team?.version ?? -1, count);
    };
    const [rows, totals] = await Promise.all([
      sql<Omit<DeploymentRow, 'plan' | 'failure_choices' | 'databases'>[]>`
        select ${deploymentColumns(sql)}
        ${visible(team_id)}
          ${filter}
          ${at ? sql`and (d.created_at, d.id) < (${at.created_at}, ${at.id})` : sql``}
        order by d.created_at desc, d.id desc
        limit ${input.limit + 1}`,
      counts(),
    ]);
    return { ...paginate(rows, input.limit), ...totals };
  };
};
