import type { Sql } from '../../../../db/connect.ts';

/** A file that Paddock keeps for a team, below a folder of the data directory. */
export interface StoredFile {
  kind: 'backup' | 'archive';
  subject_type: string;
  subject_id: string;
  subject_name: string | null;
  path: string;
}

/** The newest files of a team. Read only. */
export const storedFilesStore = (sql: Sql) => ({
  newest: async (team_id: string, most: number): Promise<StoredFile[]> => {
    const backups = sql<StoredFile[]>`
      select
        'backup' as kind, 'database_backup' as subject_type, k.id as subject_id, b.type || ' of ' || p.name || ', ' || b.environment as subject_name,
        k.database_id || '/' || k.id as path
      from database_backups k
      join databases b on b.id = k.database_id
      join projects p on p.id = b.project_id
      where k.team_id = ${team_id}
        and k.status = 'available'
      order by k.created_at desc
      limit ${most}`;
    const archives = sql<StoredFile[]>`
      select
        'archive' as kind, 'deployment' as subject_type, d.id as subject_id, d.source_name as subject_name, d.source_blob as path
      from deployments d
      where d.team_id = ${team_id}
      order by d.created_at desc
      limit ${most}`;
    return (await Promise.all([backups, archives])).flat();
  },
});
