import type { Environment } from '@paddock/contract';
import type { Sql } from '../../db/connect.ts';
import type { Move } from './uptime.ts';

export interface MoveRow extends Move {
  project_id: string;
  environment: Environment;
}
export type MoveStore = ReturnType<typeof moveStore>;

/** How deployments moved, for uptime and running time. */
export const moveStore = (sql: Sql) => {
  return {
    ofAgent: ({ project_id, environment }: Pick<MoveRow, 'project_id' | 'environment'>, from: Date) =>
      moves(sql`project_id = ${project_id} and environment = ${environment}`, from),

    /** Of these alone: what other deployments did in their environments is not told. */
    ofDeployments: (ids: readonly string[], from: Date) => moves(sql`deployment_id = any(${ids as string[]})`, from),

    ofTeam: (team_id: string, from: Date) => moves(sql`team_id = ${team_id}`, from),
  };

  /** What moved since `from`, and for each deployment the last move before: what it was then. In the order in which it happened. */
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
