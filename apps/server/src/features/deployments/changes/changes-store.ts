import type { InstalledPackage, Plan } from '@paddock/builder';
import { ApiError } from '@paddock/contract';
import type { Sql } from '../../../db/connect.ts';

/** The facts of a deployment that are compared. */
export interface Compared {
  id: string;
  source_blob: string;
  source_sha256: string | null;
  database_mode: string;
  plan: Plan | null;
  packages: InstalledPackage[] | null;
  is_partial: boolean | null;
  /** The variables of its process by name, with the time of each one's last change. */
  variable_times: Record<string, string> | null;
}

export type ChangesStore = ReturnType<typeof changesStore>;

export const changesStore = (sql: Sql) => ({
  /** Throws deployment_not_found unless both are deployments of the team. */
  async pair(team_id: string, ids: { id: string; with_id: string }): Promise<{ after: Compared; before: Compared }> {
    const rows = await sql<Compared[]>`
      select d.id, d.source_blob, d.source_sha256, d.database_mode, d.plan, d.variable_times, i.packages, i.is_partial
      from deployments d
      join projects p on p.id = d.project_id
      left join deployment_packages i on i.team_id = d.team_id and i.deployment_id = d.id
      where d.team_id = ${team_id}
        and p.team_id = ${team_id}
        and p.deleting_at is null
        and d.id in (${ids.id}, ${ids.with_id})`;
    const [after, before] = [ids.id, ids.with_id].map((id) => rows.find((row) => row.id === id));
    if (after === undefined || before === undefined) throw new ApiError('deployment_not_found');
    return { after, before };
  },
});
