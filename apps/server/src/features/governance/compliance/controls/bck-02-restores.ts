import { plural } from '@paddock/contract/plural';
import { dayMs } from '@paddock/contract/time';
import type { Sql } from '../../../../db/connect.ts';
import type { Control, ControlFinding } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { agoText, failed, passed, type Subject, unverified, within } from '../finding.ts';

const maxDatabases = 2_000;
const testedDays = 90;

/**
 * BCK-02: a backup of each managed database was restored within 90 days: by Paddock into a scratch instance, or by a user over the database
 * or into a copy that still exists.
 */
export function restoreControl({ sql }: Pick<ControlDeps, 'sql'>): Control {
  return {
    id: 'BCK-02',
    of: 'team',
    async check(team_id) {
      const rows = await loadRestores(sql, team_id);
      return {
        looked_at: `The last restore of ${plural(rows.length, 'managed database')}.`,
        absence: 'The team has no managed database.',
        resources: rows.map(judge),
      };
    },
  };
}

function judge(row: Restored): ControlFinding {
  const { id, name, type, now, has_backup, restored_at, backup_id, tested_at } = row;
  const subject: Subject = { type: 'database', id, name };
  const path = `/databases?open=${id}&tab=backups`;
  const at = Date.parse(now);
  const isFresh = (time: string | null): time is string => time !== null && within(time, testedDays * dayMs, at);
  if (isFresh(tested_at)) {
    const { tested_backup_id, error_message, tables, equal_tables, rows_restored, rows_now } = row;
    const evidence = { tested_at, backup_id: tested_backup_id, tables, equal_tables, rows_restored, rows_now, days: testedDays };
    if (error_message !== null) {
      const fix = { text: 'Back the database up anew; the backup is tested again within a day. Keep older backups until then.', path };
      return failed(
        subject,
        `The newest backup could not be restored into a scratch instance ${agoText(tested_at, at)}: ${error_message}`,
        { evidence, fix },
      );
    }
    return passed(subject, `A backup was restored into a scratch instance ${agoText(tested_at, at)}: ${contentText(row, type)}.`, evidence);
  }
  const evidence = { restored_at, backup_id, tested_at, has_backup, days: testedDays };
  if (isFresh(restored_at))
    return passed(subject, `A backup was restored ${agoText(restored_at, at)}, and its server accepted connections.`, evidence);
  const last = restored_at === null ? 'No restore of this database is known' : `The last restore was ${agoText(restored_at, at)}`;
  const text = has_backup
    ? 'Paddock tests the newest backup of a database by itself, one each hour. To test it now, restore it into a copy and compare its rows.'
    : 'Back the database up: Paddock then tests the backup by itself.';
  return unverified(subject, `${last}; a backup counts as tested for ${testedDays} days.`, { evidence, fix: { text, path } });
}

function contentText({ tables, equal_tables, rows_restored, rows_now }: Restored, type: string): string {
  const content =
    type === 'postgresql' ? `${plural(rows_restored ?? 0, 'row')} in ${plural(tables ?? 0, 'table')}` : plural(rows_restored ?? 0, 'key');
  if (equal_tables === null) return `${content}; the database did not run to be compared`;
  if (equal_tables === tables) return `${content}, ${type === 'postgresql' ? 'the same' : 'as many'} as in the database`;
  if (rows_now === rows_restored) return `${content}; the database has changed since, and has as many`;
  return `${content}; the database has changed since and had ${(rows_now ?? 0).toLocaleString('en')}`;
}

/** The last successful restore by a user, and the last test in a scratch instance. */
interface Restored {
  id: string;
  name: string;
  type: string;
  now: string;
  has_backup: boolean;
  restored_at: string | null;
  backup_id: string | null;
  tested_at: string | null;
  tested_backup_id: string | null;
  error_message: string | null;
  tables: number | null;
  equal_tables: number | null;
  rows_restored: number | null;
  rows_now: number | null;
}

/** Attached databases with their last restore: over the database itself, or into a copy beside it. */
const loadRestores = (sql: Sql, team_id: string) => sql<Restored[]>`
  select
    b.id, p.name || ', ' || b.environment || ', ' || b.type as name, b.type, now() as now, r.finished_at as restored_at, r.backup_id,
    s.tested_at, s.backup_id as tested_backup_id, s.error_message, s.tables, s.equal_tables, s.rows_restored::float8 as rows_restored,
    s.rows_now::float8 as rows_now,
    exists (
      select 1
      from database_backups a
      where a.database_id = b.id
        and a.status = 'available'
    ) as has_backup
  from databases b
  join projects p on p.id = b.project_id
  left join restore_tests s on s.database_id = b.id
  left join lateral (
    select t.finished_at, t.backup_id
    from database_tasks t
    join databases into_one on into_one.id = t.database_id
    where t.team_id = b.team_id
      and into_one.project_id = b.project_id
      and into_one.environment = b.environment
      and into_one.type = b.type
      and into_one.mode = 'managed'
      and t.kind = 'restore'
      and t.status = 'done'
      and (into_one.id = b.id or not into_one.is_attached)
    order by t.finished_at desc
    limit 1
  ) r on true
  where b.team_id = ${team_id}
    and b.mode = 'managed'
    and b.is_attached
    and p.deleting_at is null
  order by b.created_at, b.id
  limit ${maxDatabases}`;
