-- The last time that a backup of a database was put into a scratch instance, to see that it can be.
create table restore_tests (
  database_id text primary key references databases on delete cascade,
  team_id text not null references teams on delete cascade,
  backup_id text not null,
  tested_at timestamptz not null default now(),
  -- Why it could not be put back; null: the server accepted connections, and what it holds was read.
  error_message text,
  -- Tables of PostgreSQL; of Redis its keys are one.
  tables int,
  -- Those that have the same rows (of Redis: as many keys) in the backup as in the database at the time of the test; null: the database did not run.
  equal_tables int,
  rows_restored bigint,
  rows_now bigint
);
