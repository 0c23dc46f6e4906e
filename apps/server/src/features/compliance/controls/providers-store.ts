import type { Sql } from '../../../db/connect.ts';

const mostSeen = 1_000;
const mostLive = 2_000;

export interface SeenProvider {
  provider: string | null;
  host: string | null;
  calls: number;
  last_seen: string;
  projects: string[];
}

/** Which providers of models agents called, as their traces tell. */
export const providersStore = (sql: Sql) => ({
  seen: (team_id: string, since: string) => sql<SeenProvider[]>`
    select
      lower(left(s.provider, 100)) as provider,
      lower(left(s.attributes->>'server.address', 253)) as host,
      count(*)::float8 as calls,
      max(s.started_at) as last_seen,
      (array_agg(distinct p.name))[1:5] as projects
    from deployments d
    join projects p on p.id = d.project_id
    join spans s on s.deployment_id = d.id
    where d.team_id = ${team_id}
      and p.team_id = ${team_id}
      and p.deleting_at is null
      and s.type in ('model', 'embedding')
      and s.started_at > ${since}
    group by 1, 2
    order by calls desc
    limit ${mostSeen}`,

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
    limit ${mostLive}`,
});
