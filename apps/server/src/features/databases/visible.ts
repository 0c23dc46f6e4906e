import { ApiError, type Database } from '@paddock/contract';
import type { Sql, Tx } from '../../db/connect.ts';

/** Databases visible to a team, and how they are shown. */
export const visibleDatabases = (sql: Sql) => {
  // Only its node knows a database's state.
  const isCutOff = sql`
    (
      b.mode = 'managed'
      and b.status not in ('stopped', 'deleting')
      and exists (
        select 1
        from nodes n
        where n.label = b.node
          and n.seen_at < now() - n.timeout_s * interval '1 second'
      )
    )`;
  const columns = sql`
    b.id, b.type, b.project_id, p.name as project_name, b.environment, b.mode, b.name, b.is_attached,
    case when ${isCutOff} then 'failed' else b.status end as status,
    case when ${isCutOff} then 'The server that has it does not answer. It is back as soon as that server is.' else b.status_message end as status_message,
    b.host, b.port, b.version, b.size_bytes::float8 as size_bytes, b.storage_limit_bytes::float8 as storage_limit_bytes,
    b.is_read_only, b.created_at,
    (
      select max(k.created_at)
      from database_backups k
      where k.database_id = b.id
        and k.status = 'available'
    ) as last_backup_at`;
  const visible = (team_id: string, tx: Tx = sql) => tx`
    from databases b
    join projects p on p.id = b.project_id
    where b.team_id = ${team_id}
      and p.team_id = ${team_id}
      and p.deleting_at is null`;

  const get = async (team_id: string, id: string): Promise<Database> => {
    const [row] = await sql<Database[]>`select ${columns} ${visible(team_id)} and b.id = ${id}`;
    if (!row) throw new ApiError('database_not_found');
    return row;
  };

  return { columns, visible, get };
};
