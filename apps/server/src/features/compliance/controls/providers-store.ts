import type { Sql } from '../../../db/connect.ts';

const maxLive = 2_000;

/** What runs, and told nothing of the models that it calls. */
export const providersStore = (sql: Sql) => ({
  /** What runs and told nothing of itself since then. */
  silent: (team_id: string, since: string) => sql<{ id: string; name: string }[]>`
    select d.id, p.name || ' (' || d.environment || ')' as name
    from deployments d
    join projects p on p.id = d.project_id
    where d.team_id = ${team_id}
      and p.team_id = ${team_id}
      and p.deleting_at is null
      and d.status = 'active'
      and not exists (
        select 1
        from spans s
        where s.deployment_id = d.id
          and s.origin = 'agent'
          and s.started_at > ${since}
      )
    order by d.created_at desc, d.id desc
    limit ${maxLive}`,
});
