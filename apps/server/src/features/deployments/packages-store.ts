import type { Artifact, InstalledPackage, InstalledPackages } from '@paddock/builder';
import { ApiError } from '@paddock/contract';
import type { Sql } from '../../db/connect.ts';

/** Builds read per run of the job. */
const perTurn = 20;

export interface Built {
  id: string;
  artifact: Artifact;
}

/** Packages installed in builds. */
export const packagesStore = (sql: Sql) => ({
  /** Stores the packages of a build; a repeated build replaces them. */
  keep: (id: string, { packages, is_partial }: InstalledPackages) => sql`
    insert into deployment_packages (deployment_id, team_id, packages, is_partial)
    select d.id, d.team_id, ${sql.json(packages as never)}, ${is_partial}
    from deployments d
    where d.id = ${id}
    on conflict (deployment_id) do update
    set packages = excluded.packages, is_partial = excluded.is_partial, read_at = excluded.read_at`,

  /** Running deployments on this node whose packages were not read when they were built. */
  unread: (node: string) => sql<Built[]>`
    select d.id, d.artifact
    from deployments d
    where d.status = 'active'
      and d.node = ${node}
      and d.artifact is not null
      and not exists (
        select 1
        from deployment_packages p
        where p.deployment_id = d.id
      )
    order by d.created_at desc
    limit ${perTurn}`,

  async of(team_id: string, id: string) {
    const [row] = await sql<
      {
        id: string;
        project_name: string;
        source_sha256: string | null;
        language: string | null;
        language_version: string | null;
        packages: InstalledPackage[] | null;
        is_partial: boolean;
        read_at: string;
      }[]
    >`
      select
        d.id, p.name as project_name, d.source_sha256, d.plan->>'language' as language, d.plan->>'version' as language_version,
        i.packages, i.is_partial, i.read_at
      from deployments d
      join projects p on p.id = d.project_id
      left join deployment_packages i on i.team_id = d.team_id and i.deployment_id = d.id
      where d.team_id = ${team_id}
        and p.team_id = ${team_id}
        and p.deleting_at is null
        and d.id = ${id}`;
    if (!row) throw new ApiError('deployment_not_found');
    const { packages } = row;
    if (!packages) throw new ApiError('sbom_missing');
    return { ...row, packages };
  },
});
export type PackagesStore = ReturnType<typeof packagesStore>;
