import type { Sql } from '../../../db/connect.ts';
import type { Package } from './advisories/match.ts';

const maxLive = 2_000;
const maxPackages = 200_000;

export interface LivePackages {
  id: string;
  name: string;
  environment: string;
  /** Null if not read, or if newer deployments fill the limit of one check. */
  packages: Package[] | null;
  is_read: boolean;
  is_partial: boolean | null;
}

/** Packages installed in running deployments. */
export const dependenciesStore = (sql: Sql) => ({
  live: (team_id: string) => sql<LivePackages[]>`
    select
      d.id, p.name, d.environment, i.is_partial, i.deployment_id is not null as is_read,
      case
        when sum(jsonb_array_length(i.packages)) over (order by d.created_at desc, d.id desc) <= ${maxPackages} then i.packages
      end as packages
    from deployments d
    join projects p on p.id = d.project_id
    left join deployment_packages i on i.team_id = d.team_id and i.deployment_id = d.id
    where d.team_id = ${team_id}
      and p.team_id = ${team_id}
      and p.deleting_at is null
      and d.status = 'active'
    order by d.created_at desc, d.id desc
    limit ${maxLive}`,

  /** Packages of all teams without duplicates: one scan of the database serves all. */
  packagesOfAll: () => sql<Package[]>`
    select distinct one.ecosystem, one.name, one.version
    from deployments d
    join deployment_packages i on i.deployment_id = d.id
    cross join lateral jsonb_to_recordset(i.packages) as one(ecosystem text, name text, version text)
    where d.status = 'active'
    limit ${maxPackages}`,
});
