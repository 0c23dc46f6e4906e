import type { Sql } from '../../../db/connect.ts';

const maxLive = 2_000;

/** Running agents that reported nothing about the models they call. */
export const providersStore = (sql: Sql) => ({
  /** Running deployments without traces since then. */
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
