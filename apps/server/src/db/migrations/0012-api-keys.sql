-- Keys by which programs act for a person. Only the hash of a key is stored.
create table api_keys (
  id text primary key,
  team_id text not null references teams on delete cascade,
  -- For whom it acts: it works only while this person belongs to the team.
  user_id text not null references users on delete cascade,
  -- The first of the keys that replaced each other by rotation.
  family_id text not null,
  replaced_by text,
  name text not null,
  token_hash bytea not null unique,
  key_prefix text not null,
  key_suffix text not null,
  is_test_key boolean not null,
  scopes text[] not null check (cardinality(scopes) > 0),
  rate_limit integer not null,
  -- The rule by which a rotation finds the new end.
  expires_in_days integer,
  expires_at timestamptz,
  revoked_at timestamptz,
  -- As the wire has it, so that a page of a list goes on exactly where the one before ended.
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  total_requests bigint not null default 0,
  last_used_at timestamptz,
  last_used_ip text,
  -- The minute that is being counted; it begins with its first request.
  window_start timestamptz not null default '-infinity',
  window_count integer not null default 0
) with (fillfactor = 70); -- each request changes its row in place
create index api_keys_list on api_keys (team_id, created_at desc, id desc);
create index api_keys_user on api_keys (user_id);
-- Whatever happens at the same time, rotation never leaves two live keys.
create unique index api_keys_live on api_keys (family_id) where revoked_at is null;
-- Not for each use: only what lists show of their own accord.
create trigger api_keys_changed after insert or update of revoked_at or delete on api_keys for each row execute function team_changed();

-- A key may ask for a ticket too.
-- contract: nothing is taken away; a server of the release before always writes a session, and finds no ticket of a key
alter table log_tickets alter column session_id drop not null;
alter table log_tickets add column key_id text references api_keys on delete cascade;
