import type { SeenProvider } from '@paddock/contract';
import type { Sql } from '../../../db/connect.ts';

const maxSeen = 1_000;

/** A provider as named in traces, without the register. */
export type Called = Omit<SeenProvider, 'register'>;

interface CalledRow extends Called {
  /** The total number, also beyond the limit. */
  of_total: number;
}

/** The model providers that a team's agents have called since then, according to the retained traces. Read only. */
export const seenStore = (sql: Sql) => ({
  called: (team_id: string, since: string) => sql<CalledRow[]>`
    select
      lower(left(s.provider, 100)) as provider,
      lower(left(s.attributes->>'server.address', 253)) as host,
      count(*)::float8 as calls,
      max(s.started_at) as last_seen,
      (array_agg(distinct p.name))[1:5] as projects,
      count(*) over ()::int as of_total
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
    limit ${maxSeen}`,
});
