-- What a team decided. Rules are lines of text; which of them Paddock acts on is decided by packages/contract/src/policy-rules.ts.
create table policies (
  id text primary key,
  team_id text not null references teams on delete cascade,
  name text not null,
  description text not null,
  type text not null check (type in ('data_retention', 'access_control', 'data_privacy', 'security')),
  status text not null check (status in ('draft', 'active', 'archived')),
  rules text[] not null,
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  updated_at timestamptz not null default date_trunc('milliseconds', clock_timestamp())
);
create index policies_of_team on policies (team_id, created_at desc, id desc);
create trigger policies_changed after insert or update or delete on policies for each row execute function team_changed();

-- Servers remember what is enforced.
create function policies_noted() returns trigger language plpgsql as $$
begin
  perform pg_notify('policies', coalesce(new.team_id, old.team_id));
  return null;
end
$$;
create trigger policies_noted after insert or update or delete on policies for each row execute function policies_noted();
