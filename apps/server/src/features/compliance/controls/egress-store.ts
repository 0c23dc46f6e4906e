import type { Sql } from '../../../db/connect.ts';

const mostProjects = 2_000;

/** Projects of a team with something that runs. */
export const egressStore = (sql: Sql) => ({
  live: (team_id: string) => sql<{ id: string; name: string }[]>`
    select p.id, p.name
    from projects p
    where p.team_id = ${team_id}
      and p.deleting_at is null
      and exists (
        select 1
        from deployments d
        where d.team_id = ${team_id}
          and d.project_id = p.id
          and d.status = 'active'
      )
    order by p.name, p.id
    limit ${mostProjects}`,
});
