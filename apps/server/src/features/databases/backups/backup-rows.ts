import { ApiError, type DatabaseBackup, type DatabaseType, type Environment } from '@paddock/contract';
import type { Sql, Tx } from '../../../db/connect.ts';

interface Source {
  id: string;
  project_id: string;
  environment: Environment;
  type: DatabaseType;
  mode: 'managed' | 'byo';
  status: string;
  wanted: string;
  port: number | null;
  node: string | null;
  machine: string | null;
  storage_limit_bytes: number | null;
}

/** Reads backups and their databases. */
export const backupRows = (sql: Sql) => {
  const columns = (tx: Tx) => tx`
    k.id, k.database_id, k.trigger, k.status, k.error_message, k.size_bytes::float8 as size_bytes, k.sha256, k.version,
    k.created_at, k.finished_at, k.expires_at`;

  /** Locks the row when called with a transaction, until that ends. Throws database_not_found, and database_not_managed. */
  const managed = async (team_id: string, id: string, tx?: Tx): Promise<Source> => {
    const from = tx ?? sql;
    const [row] = await from<Source[]>`
      select b.id, b.project_id, b.environment, b.type, b.mode, b.status, b.wanted, b.port, b.node, b.machine, b.storage_limit_bytes
      from databases b
      join projects p on p.id = b.project_id
      where b.team_id = ${team_id}
        and b.id = ${id}
        and p.deleting_at is null
      ${tx ? tx`for no key update of b` : sql``}`;
    if (!row) throw new ApiError('database_not_found');
    if (row.mode !== 'managed') throw new ApiError('database_not_managed');
    return row;
  };

  /** Throws backup_not_found. */
  const one = async (tx: Tx, team_id: string, { database_id, id }: { database_id: string; id: string }): Promise<DatabaseBackup> => {
    const [row] = await tx<DatabaseBackup[]>`
      select ${columns(tx)}
      from database_backups k
      where k.team_id = ${team_id}
        and k.database_id = ${database_id}
        and k.id = ${id}`;
    if (!row) throw new ApiError('backup_not_found');
    return row;
  };

  return { columns, managed, one };
};
