import type { PlantedBug } from '../bug.ts';

const databases = 'apps/server/src/features/databases';
const alerts = 'apps/server/src/features/alerts/bell';

/** Bugs in backups, limits, addresses of external databases, and alerts. */
export const databaseCareBugs: PlantedBug[] = [
  {
    bug: 'of a database that is brought along only the first address is looked at',
    promise: 'R45: nothing is connected to that agents may not reach',
    file: `${databases}/byo/byo-check.ts`,
    from: 'for (const address of found) {',
    to: 'for (const address of found.slice(0, 1)) {',
    caught_by: { file: `${databases}/byo/byo-check.test.ts`, test: 'an address that agents may not reach is refused' },
  },
  {
    bug: 'a backup that failed is silent',
    promise: 'backups: one that failed is an alert',
    file: `${databases}/backups/backup-tasks.ts`,
    from: 'await alerts.raise(backup.team_id, {',
    to: 'await (async (..._: unknown[]) => undefined)(backup.team_id, {',
    caught_by: { file: `${databases}/backups/backups.test.ts`, test: 'a backup that failed says why' },
  },
  {
    bug: 'a database that does not come up is told by its card alone',
    promise: 'databases: one that stays down is an alert',
    file: `${databases}/node/run-step.ts`,
    from: 'if (count < alertAfter) return;',
    to: 'if (count > 0) return;',
    caught_by: { file: `${databases}/node/reconciler.test.ts`, test: 'one that cannot be started three times in a row is an alert' },
  },
  {
    bug: 'over a database that does not start no backup is put before it starts',
    promise: 'restore: what is broken can be put in order',
    file: `${databases}/node/next-step.ts`,
    from: "if (isRescue && state !== 'running') return 'task';",
    to: "if (isRescue && state === undefined) return 'task';",
    caught_by: {
      file: `${databases}/backups/restore-failed.test.ts`,
      test: 'over a database that does not start a backup is put as it is',
    },
  },
  {
    bug: 'a restore goes on although what is there could not be backed up',
    promise: 'backups: a restore that goes wrong can be undone',
    file: `${databases}/backups/backup-tasks.ts`,
    from: 'if (isSame && !isRescue) await keepWhatIsThere(',
    to: 'if (!isSame && !isRescue) await keepWhatIsThere(',
    caught_by: { file: `${databases}/backups/backups.test.ts`, test: 'a restore that cannot back up what is there' },
  },
  {
    bug: 'the newest backup goes when it is too old',
    promise: 'backups: there is always one to go back to',
    file: `${databases}/backups/schedule-store.ts`,
    from: 'and (${isNewest}) is not true',
    to: 'and (${isNewest}) is not null',
    caught_by: { file: `${databases}/backups/backup-schedule.test.ts`, test: 'daily backups go after a week' },
  },
  {
    bug: 'a full database is writable again as soon as it is below its limit',
    promise: 'limits: no going to and fro at the limit',
    file: `${databases}/usage/limits.ts`,
    from: '(is_read_only && share >= storageMarks.writableAgain)',
    to: '(is_read_only && share >= storageMarks.readOnly)',
    caught_by: { file: `${databases}/usage/limits.test.ts`, test: 'what follows from the used share' },
  },
  {
    bug: 'an alert is resolved without asking whose it is',
    promise: 'P6: nothing of one team is changed by another',
    file: `${alerts}/store.ts`,
    from: 'where team_id = ${team_id}',
    to: "where ${team_id}::text <> ''",
    caught_by: { file: `${alerts}/alerts.test.ts`, test: 'the list is of one team' },
  },
];
