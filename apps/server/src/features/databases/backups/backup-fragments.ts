import type { Sql } from '../../../db/connect.ts';
import type { ManagedRow } from '../rows.ts';

export interface StoredBackup {
  id: string;
  team_id: string;
  database_id: string;
  project_id: string;
  type: ManagedRow['type'];
  status: 'queued' | 'running' | 'available' | 'failed';
  size_bytes: number | null;
  sha256: string | null;
  created_at: string;
}
export type LostBackup = Pick<StoredBackup, 'id' | 'team_id' | 'database_id' | 'project_id' | 'type'>;

/** SQL fragments shared by the queries of this node's backups. The queries call database_backups `k` and databases `b`. */
export const backupFragments = (sql: Sql, node: string) => ({
  stored: sql`
  k.id, k.team_id, k.database_id, b.project_id, b.type, k.status, k.size_bytes::float8 as size_bytes, k.sha256, k.created_at
  from database_backups k
  join databases b on b.id = k.database_id`,
  mine: sql`b.mode = 'managed' and b.node = ${node}`,
  isOpen: sql`
  exists (
    select 1
    from database_tasks t
    where t.status in ('queued', 'running')
      and t.database_id = k.database_id
      and (t.backup_id = k.id or 'bak_' || substr(t.id, 5) = k.id)
  )`,
  isNewest: sql`
  k.id = (
    select n.id
    from database_backups n
    where n.database_id = k.database_id
      and n.status = 'available'
    order by n.created_at desc, n.id desc
    limit 1
  )`,
});
