import type { PlantedBug } from '../bug.ts';

const postgres = 'packages/database-driver/src/process/postgres';

/** Bugs with which a user of a database can make the platform's changes fail, wait or not last. */
export const databaseAccessBugs: PlantedBug[] = [
  {
    bug: 'names that users of databases made are not quoted',
    promise: 'limits: no name of a database gets around them',
    file: `${postgres}/settle.ts`,
    from: "format('ALTER DATABASE %I RESET default_transaction_read_only', d.datname)",
    to: "format('ALTER DATABASE %s RESET default_transaction_read_only', d.datname)",
    caught_by: { file: `${postgres}/hostile-names.test.ts`, test: 'whatever a user names a database' },
  },
  {
    bug: 'sessions that hold the row of their own role are waited for, and not ended',
    promise: 'a new password cannot be held up by who has the old one',
    file: `${postgres}/overrule.ts`,
    from: 'await endBlockers(sql, pid);',
    to: '',
    caught_by: { file: `${postgres}/hostile-sessions.test.ts`, test: 'a transaction that holds the row of its own role' },
  },
  {
    bug: 'addresses that an older release kept are taken for carried over, and are not',
    promise: 'upgrade: nothing that agents had is taken away',
    file: 'apps/server/src/features/databases/byo/migrate-legacy-urls.ts',
    from: 'await keepOlder(tx, one.team_id, { ...place, kept });',
    to: '',
    caught_by: {
      file: 'apps/server/src/features/databases/byo/migrate-legacy-urls.test.ts',
      test: "after an upgrade an older deployment's own databases",
    },
  },
  {
    bug: 'connections that never sign in keep the platform out of a database',
    promise: 'limits: who takes every connection does not get around them',
    file: 'packages/database-driver/src/process/admission.ts',
    from: 'if (ms > PATIENCE_MS) endClients(',
    to: 'if (ms < 0) endClients(',
    caught_by: { file: `${postgres}/hostile-sessions.test.ts`, test: 'connections that never sign in' },
  },
];
