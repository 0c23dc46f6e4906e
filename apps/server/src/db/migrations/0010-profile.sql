-- Secrets of authenticator apps, sealed. One that was not confirmed by a code protects nothing.
create table second_factors (
  user_id text primary key references users on delete cascade,
  sealed bytea not null,
  key_id text not null,
  is_confirmed boolean not null default false,
  -- The last time step whose code was used; neither it nor an earlier one is accepted again.
  last_step bigint not null default 0,
  created_at timestamptz not null default now()
);
-- Ten per account, each gone once used.
create table recovery_codes (
  user_id text not null references second_factors on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

-- The session that asked for the link: it goes on when the link is used.
alter table mailed_links add column session_id text;

-- From where somebody has signed in before, so that only what is new is mailed.
create table known_devices (
  user_id text not null references users on delete cascade,
  device text not null,
  network text not null,
  seen_at timestamptz not null default now(),
  primary key (user_id, device, network)
);
create index known_devices_age on known_devices (seen_at);

-- Set when the last member's account was deleted; the row goes after its projects.
alter table teams add column deleting_at timestamptz;
create index teams_deleting on teams (deleting_at) where deleting_at is not null;
