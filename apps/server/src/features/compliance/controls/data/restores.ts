import type { Parts } from '../../../../parts.ts';
import type { Control, Found } from '../../control.ts';
import { backupStore, type Restored } from './backup-store.ts';
import { agoText, counted, dayMs, passed, type Subject, unseen, within } from './finding.ts';

const testedDays = 90;

/** BCK-02: of each managed database a backup was put back within 90 days, over it or into a copy. A copy that was deleted proves nothing any more. */
export function restoreTested({ sql }: Pick<Parts, 'sql'>): Control {
  const store = backupStore(sql);
  return {
    id: 'BCK-02',
    of: 'team',
    async check(team_id) {
      const rows = await store.restored(team_id);
      return { looked_at: `The last restore of ${counted(rows.length, 'managed database')}.`, resources: rows.map(look) };
    },
  };
}

function look({ id, name, now, has_backup, restored_at, backup_id }: Restored): Found {
  const subject: Subject = { type: 'database', id, name };
  const evidence = { restored_at, backup_id, has_backup, days: testedDays };
  const path = `/databases?open=${id}&tab=backups`;
  const at = Date.parse(now);
  if (restored_at !== null && within(restored_at, testedDays * dayMs, at))
    return passed(subject, {
      finding: `A backup was restored ${agoText(restored_at, at)}, and its server accepted connections.`,
      evidence,
    });
  const last = restored_at === null ? 'No restore of this database is known' : `The last restore was ${agoText(restored_at, at)}`;
  const text = has_backup
    ? 'Restore the newest backup into a copy, compare the number of its rows with the database, and keep the copy until this check has run.'
    : 'Back the database up, then restore the backup into a copy and compare the number of its rows.';
  return unseen(subject, { finding: `${last}; a backup counts as tested for ${testedDays} days.`, evidence, fix: { text, path } });
}
