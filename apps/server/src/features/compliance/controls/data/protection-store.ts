import type { Sql } from '../../../../db/connect.ts';

export interface ProtectedProject {
  project_id: string;
  name: string;
  /** The stored settings; null if the project has the defaults. */
  settings: unknown;
  agents: number;
}

const most = 2_000;

/** Projects with agents that serve now, with their data protection settings. Read only. */
export const liveProtectionStore = (sql: Sql) => ({
  live: (team_id: string) => sql<ProtectedProject[]>`
    select p.id as project_id, p.name, s.settings, count(*)::int as agents
    from deployments d
    join projects p on p.id = d.project_id
    left join data_protection s on s.project_id = p.id
    where d.team_id = ${team_id}
      and d.is_current
      and d.status = 'active'
      and p.deleting_at is null
    group by p.id, p.name, s.settings
    order by p.name, p.id
    limit ${most}`,
});
