import type { Sql } from '../../../db/connect.ts';
import type { ManagedRow } from '../rows.ts';
import { backupFragments } from './backup-fragments.ts';

/** A database whose newest backup is to be tested. */
export interface ToTest extends ManagedRow {
  backup_id: string;
  sha256: string;
  backup_bytes: number;
  database_bytes: number | null;
}
export interface Counted {
  tables: number;
  equal_tables: number | null;
  rows_restored: number;
  rows_now: number | null;
}
export type RestoreTestStore = ReturnType<typeof restoreTestStore>;

/** Days until the next test after a success. After a failure it is one day. */
const againDays = 30;

/** Selects the next backup to test, and stores test results. */
export const restoreTestStore = (sql: Sql, node: string) => {
  const { mine } = backupFragments(sql, node);
  const keep = ({ team_id, id, backup_id }: ToTest, error_message: string | null, counted: Counted | null) => {
    const { tables = null, equal_tables = null, rows_restored = null, rows_now = null } = counted ?? {};
    return sql`
      insert into restore_tests (database_id, team_id, backup_id, error_message, tables, equal_tables, rows_restored, rows_now)
      select id, team_id, ${backup_id}, ${error_message}, ${tables}, ${equal_tables}, ${rows_restored}, ${rows_now}
      from databases
      where team_id = ${team_id}
        and id = ${id}
      on conflict (database_id) do update
      set
        backup_id = excluded.backup_id,
        tested_at = excluded.tested_at,
        error_message = excluded.error_message,
        tables = excluded.tables,
        equal_tables = excluded.equal_tables,
        rows_restored = excluded.rows_restored,
        rows_now = excluded.rows_now`;
  };

  return {
    /** This node's database that has waited longest for a test, with its newest backup. */
    async due(): Promise<ToTest | undefined> {
      const [row] = await sql<ToTest[]>`
        select
          b.*, b.size_bytes::float8 as database_bytes, k.id as backup_id, k.sha256, k.size_bytes::float8 as backup_bytes
        from databases b
        join lateral (
          select n.id, n.sha256, n.size_bytes
          from database_backups n
          where n.database_id = b.id
            and n.status = 'available'
          order by n.created_at desc, n.id desc
          limit 1
        ) k on true
        left join restore_tests t on t.database_id = b.id
        where ${mine}
          and b.is_attached
          and b.wanted <> 'deleted'
          and k.sha256 is not null
          and (
            t.tested_at is null
            or t.tested_at < now() - case when t.error_message is null then ${`${againDays} days`}::interval else interval '1 day' end
          )
        order by t.tested_at nulls first, b.created_at, b.id
        limit 1`;
      return row;
    },
    passed: (tested: ToTest, counted: Counted) => keep(tested, null, counted),
    failed: (tested: ToTest, message: string) => keep(tested, message.slice(0, 500), null),
  };
};
