import type { Environment } from '@paddock/contract';
import type { Sql } from '../../db/connect.ts';
import type { Move } from './uptime.ts';

export interface MoveRow extends Move {
  project_id: string;
  environment: Environment;
}
export type MoveStore = ReturnType<typeof moveStore>;

/** Transitions of deployments, for uptime and running time. */
export const moveStore = (sql: Sql) => {
  return {
    ofAgent: ({ project_id, environment }: Pick<MoveRow, 'project_id' | 'environment'>, from: Date) =>
      moves(sql`project_id = ${project_id} and environment = ${environment}`, from),

    /** Transitions of only these deployments, not of others in their environments. */
    ofDeployments: (ids: readonly string[], from: Date) => moves(sql`deployment_id = any(${ids as string[]})`, from),

    ofTeam: (team_id: string, from: Date) => moves(sql`team_id = ${team_id}`, from),
  };

  /** Transitions since `from`, and the last one before for each deployment, which is its initial state. In order of time. */
  async function moves(mine: ReturnType<Sql>, from: Date): Promise<MoveRow[]> {
    const at = from.toISOString();
    const rows = await sql<(Omit<MoveRow, 'at'> & { at: string })[]>`
      select project_id, environment, deployment_id, from_status, to_status, why, at
      from (
        (
          select distinct on (deployment_id) *
          from moves
          where ${mine}
            and at < ${at}
          order by deployment_id, at desc, number desc
        )
        union all
        select *
        from moves
        where ${mine}
          and at >= ${at}
      ) m
      order by m.at, m.number`;
    return rows.map((row) => ({ ...row, at: new Date(row.at) }));
  }
};
