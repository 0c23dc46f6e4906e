import type { Sql } from '../../../db/connect.ts';
import { backupFragments, type LostBackup, type StoredBackup } from './backup-fragments.ts';

/** Backups made before restores that are kept per database. */
const maxBeforeRestore = 10;
interface DailyRow extends Pick<StoredBackup, 'team_id' | 'project_id' | 'type' | 'created_at'> {
  id: string;
  status: 'available' | 'failed' | 'provisioning';
  last_daily: string | null;
  last_failure: string | null;
  now: string;
}

/** Queries of the daily schedule and of the cleanup of old backups. */
export const scheduleStore = (sql: Sql, node: string) => {
  const { stored, mine, isOpen, isNewest } = backupFragments(sql, node);
  return {
    /** Input of the schedule, with the database's clock. */
    dueFrom: () => sql<DailyRow[]>`
      select
        b.id, b.team_id, b.project_id, b.type, b.status, b.created_at, now() as now,
        (
          select max(k.created_at)
          from database_backups k
          where k.database_id = b.id
            and k.trigger = 'daily'
            and k.status <> 'failed'
        ) as last_daily,
        (
          select max(k.created_at)
          from database_backups k
          where k.database_id = b.id
            and k.trigger = 'daily'
            and k.status = 'failed'
        ) as last_failure
      from databases b
      where ${mine}
        and b.status in ('available', 'failed', 'provisioning')
        and b.wanted = 'running'`,

    /** Deletes the rows of expired backups, but never the newest one that can be restored. Returns the deleted rows. */
    expire: () => sql<{ id: string; database_id: string }[]>`
      delete from database_backups
      where id in (
        select k.id
        from database_backups k
        join databases b on b.id = k.database_id
        where ${mine}
          and k.status in ('available', 'failed')
          and not ${isOpen}
          and (${isNewest}) is not true
          and (
            k.expires_at < now()
            or (
              k.trigger = 'before_restore'
              and k.id not in (
                select r.id
                from database_backups r
                where r.database_id = k.database_id
                  and r.trigger = 'before_restore'
                order by r.created_at desc
                limit ${maxBeforeRestore}
              )
            )
          )
      )
      returning id, database_id`,

    /** Backups whose task ended without finishing them. */
    abandoned: () => sql<LostBackup[]>`
      select ${stored}
      where ${mine}
        and k.status in ('queued', 'running')
        and not ${isOpen}
        and k.created_at < now() - interval '1 minute'`,
    available: () => sql<StoredBackup[]>`
      select ${stored}
      where ${mine}
        and k.status = 'available'
        and k.finished_at < now() - interval '1 minute'`,
    /** The ids among these that have a row; other files belong to nobody. Files of failed backups are useless, so they count as unknown. */
    async known(ids: readonly string[]): Promise<Set<string>> {
      const rows = await sql<{ id: string }[]>`
        select k.id
        from database_backups k
        where k.id = any(${ids as string[]})
          and k.status <> 'failed'`;
      return new Set(rows.map(({ id }) => id));
    },
  };
};
