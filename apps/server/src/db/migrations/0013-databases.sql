-- Databases of projects: those that Paddock runs, and the addresses of those that were brought along.
create table databases (
  id text primary key,
  team_id text not null references teams on delete cascade,
  -- Not by cascade: the server and its files go first (wanted = 'deleted'), then the row, then the project.
  project_id text not null references projects,
  environment text not null check (environment in ('production', 'preview')),
  type text not null check (type in ('postgresql', 'redis')),
  mode text not null check (mode in ('managed', 'byo')),
  -- 'main', or the name of a copy that a restore made.
  name text not null default 'main',
  is_attached boolean not null default true,
  status text not null default 'provisioning'
    check (status in ('provisioning', 'available', 'stopped', 'failed', 'restoring', 'deleting', 'unreachable')),
  status_message text,
  -- What a person wants of a managed one; the node that has it closes the gap.
  wanted text not null default 'running' check (wanted in ('running', 'stopped', 'deleted')),
  host text,
  port integer,
  version text,
  -- Sealed with the context 'database:<id>': the password of a managed one, the whole URL of one brought along.
  secret_sealed bytea not null,
  secret_key_id text not null,
  -- Whose data directory holds it, and on which machine its port is; null until the first node prepares it.
  node text,
  machine text,
  storage_limit_bytes bigint,
  is_read_only boolean not null default false,
  size_bytes bigint,
  checked_at timestamptz,
  available_at timestamptz,
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp())
);
create unique index databases_attached on databases (project_id, environment, type, mode) where is_attached;
create index databases_list on databases (team_id, created_at desc, id desc);
create index databases_node on databases (node) where mode = 'managed';
-- Not for each measurement: only for what people are shown of its own accord.
create trigger databases_changed after insert or delete
  or update of status, status_message, wanted, port, is_read_only, is_attached, secret_sealed, storage_limit_bytes on databases
  for each row execute function team_changed();

-- What is to be done with a managed database, one at a time, by the node that has it. Each may begin anew after a crash.
create table database_tasks (
  id text primary key,
  team_id text not null references teams on delete cascade,
  database_id text not null references databases on delete cascade,
  kind text not null check (kind in ('rotate', 'backup', 'restore')),
  -- Of a backup: the one to make; of a restore: the one to put back.
  backup_id text,
  -- Of a rotation: the new password, sealed with the context 'database:<id>'.
  secret_sealed bytea,
  secret_key_id text,
  status text not null default 'queued' check (status in ('queued', 'running', 'done', 'failed')),
  error_message text,
  attempts integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz
);
create index database_tasks_waiting on database_tasks (database_id, created_at) where status in ('queued', 'running');

create table database_backups (
  id text primary key,
  team_id text not null references teams on delete cascade,
  database_id text not null references databases on delete cascade,
  trigger text not null check (trigger in ('daily', 'manual', 'before_restore')),
  status text not null default 'queued' check (status in ('queued', 'running', 'available', 'failed')),
  error_message text,
  size_bytes bigint,
  sha256 text,
  version text,
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  finished_at timestamptz,
  expires_at timestamptz
);
create index database_backups_list on database_backups (database_id, created_at desc, id desc);
create trigger database_backups_changed after insert or update or delete on database_backups for each row execute function team_changed();

-- One row per minute and database; counts are what happened since the row before.
create table database_samples (
  database_id text not null references databases on delete cascade,
  at timestamptz not null,
  size_bytes bigint,
  memory_bytes bigint,
  connections integer,
  transactions bigint,
  cache_hits bigint,
  cache_reads bigint,
  keys bigint,
  evictions bigint,
  primary key (database_id, at)
);

create function database_wanted() returns trigger language plpgsql as $$
begin
  perform pg_notify('databases', coalesce(new.id, ''));
  return null;
end $$;
create trigger databases_wanted after insert or update of wanted on databases for each row execute function database_wanted();
create trigger database_tasks_wanted after insert on database_tasks for each row execute function database_wanted();
