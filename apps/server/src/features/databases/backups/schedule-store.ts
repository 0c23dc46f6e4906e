import type { Sql } from '../../../db/connect.ts';
import { backupFragments, type LostBackup, type StoredBackup } from './backup-fragments.ts';

/** Backups kept per database that were made before restores. */
const maxBeforeRestore = 10;
interface DailyRow extends Pick<StoredBackup, 'team_id' | 'project_id' | 'type' | 'created_at'> {
  id: string;
  status: 'available' | 'failed' | 'provisioning';
  last_daily: string | null;
  last_failure: string | null;
  now: string;
}

/** What the daily schedule and the sweep of old backups ask. */
export const scheduleStore = (sql: Sql, node: string) => {
  const { stored, mine, isOpen, isNewest } = backupFragments(sql, node);
  return {
    /** What the schedule judges by, with the database's clock. */
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

    /** Takes what is too old off the lists; never the newest one that something can be restored from. Returns what was taken off. */
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

    /** Those that nobody makes: what should have made them was given up. */
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
    /** Those of these that rows name, so that other files are nobody's; what a failed one left behind is of no use. */
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
