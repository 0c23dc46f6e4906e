import { ApiError, type DataProtectionSettings, defaultDataProtection } from '@paddock/contract';
import { withRedacted } from '@paddock/contract/data-protection';
import type { Sql, Tx } from '../../../db/connect.ts';

export type ProtectionStore = ReturnType<typeof protectionStore>;

/** All SQL on projects' settings for personal data. */
export const protectionStore = (sql: Sql) => ({
  async get(team_id: string, project_id: string): Promise<DataProtectionSettings & { is_default: boolean }> {
    const [project] = await sql<{ settings: DataProtectionSettings | null; redacted: string[] }[]>`
      select d.settings, redacted_types(p.team_id) as redacted
      from projects p
      left join data_protection d on d.project_id = p.id
      where p.team_id = ${team_id}
        and p.id = ${project_id}
        and p.deleting_at is null`;
    if (!project) throw new ApiError('project_not_found');
    const settings = withRedacted({ ...defaultDataProtection, ...project.settings }, project.redacted);
    return { ...settings, is_default: project.settings === null };
  },

  set: (
    team_id: string,
    { project_id, settings, noted }: { project_id: string; settings: DataProtectionSettings; noted: (tx: Tx) => Promise<unknown> },
  ) =>
    sql.begin(async (tx) => {
      const [set] = await tx`
        insert into data_protection (project_id, team_id, settings)
        select id, team_id, ${tx.json(settings as never)}
        from projects
        where team_id = ${team_id}
          and id = ${project_id}
          and deleting_at is null
        on conflict (project_id) do update
        set settings = excluded.settings, updated_at = now()
        returning project_id`;
      if (!set) throw new ApiError('project_not_found');
      await noted(tx);
    }),
});
