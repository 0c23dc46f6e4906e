import type { Sql } from '../../../db/connect.ts';

const maxProjects = 2_000;

export interface LiveProject {
  id: string;
  name: string;
  /** Its running deployments, with the host rules last reported as in force by each one's node. */
  agents: { id: string; rules: string | null; problem: string | null; age_s: number | null }[];
}

/** A team's projects with running deployments. */
export const egressStore = (sql: Sql) => ({
  live: (team_id: string) => sql<LiveProject[]>`
    select
      p.id, p.name,
      jsonb_agg(
        jsonb_build_object(
          'id', d.id,
          'rules', h.rules,
          'problem', h.problem,
          'age_s', extract(epoch from now() - h.seen_at)::int
        )
        order by d.id
      ) as agents
    from projects p
    join deployments d on d.project_id = p.id
    left join host_holds h on h.deployment_id = d.id
    where p.team_id = ${team_id}
      and p.deleting_at is null
      and d.team_id = ${team_id}
      and d.status = 'active'
    group by p.id, p.name
    order by p.name, p.id
    limit ${maxProjects}`,
});
