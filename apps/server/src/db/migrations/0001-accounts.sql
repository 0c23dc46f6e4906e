-- People, their teams and their sessions. Every tenant table has team_id.
create table teams (
  id text primary key,
  name text not null,
  is_personal boolean not null default true,
  -- Raised whenever something that the team sees changes; readers wait for it (GET /changes).
  version bigint not null default 0,
  created_at timestamptz not null default now()
);

create table users (
  id text primary key,
  email text not null,
  name text not null,
  password_hash text,
  email_verified boolean not null default false,
  created_at timestamptz not null default now()
);
-- Stored as typed, compared without case.
create unique index users_email on users (lower(email));

create table team_members (
  team_id text not null references teams on delete cascade,
  user_id text not null references users on delete cascade,
  role text not null default 'owner',
  primary key (team_id, user_id)
);
create index team_members_user on team_members (user_id);

create table sessions (
  id text primary key,
  token_hash bytea not null unique,
  user_id text not null references users on delete cascade,
  team_id text not null references teams on delete cascade,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  user_agent text not null default '',
  ip text not null default ''
);
create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);

-- One row per key and window; counted atomically, shared by all replicas.
create table rate_limits (
  key text not null,
  window_start timestamptz not null,
  count integer not null,
  primary key (key, window_start)
);

-- Answers of POSTs that carried an Idempotency-Key, kept for a day.
create table idempotency_keys (
  team_id text not null,
  key text not null,
  request_hash bytea not null,
  -- Of the id that the request creates, so a repeat after a crash creates the same.
  seed text not null,
  status integer,
  body jsonb,
  created_at timestamptz not null default now(),
  primary key (team_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- Things that happen once per period over all replicas (retention, sweeps).
create table periodic_jobs (
  name text primary key,
  next_run_at timestamptz not null default now(),
  last_run_at timestamptz,
  last_error text
);

create function raise_team_version(team text) returns void language sql as $$
  update teams set version = version + 1 where id = team;
  select pg_notify('changes', team);
$$;
create function team_changed() returns trigger language plpgsql as $$
begin
  perform raise_team_version(coalesce(new.team_id, old.team_id));
  return null;
end $$;
