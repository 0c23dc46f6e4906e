-- What a team decided. Rules are lines of text; which of them Paddock acts on is decided by packages/contract/src/policy-rules.ts.
create table policies (
  id text primary key,
  team_id text not null references teams on delete cascade,
  name text not null,
  description text not null,
  type text not null check (type in ('data_retention', 'access_control', 'data_privacy', 'security')),
  status text not null check (status in ('draft', 'active', 'archived')),
  rules text[] not null,
  -- Types of personal data that the rules want redacted, for whoever reads settings without reading rules.
  redacts text[] not null default '{}',
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

-- What active policies want redacted in every project of a team.
create function redacted_types(team text) returns text[] language sql stable as $$
  select coalesce(array_agg(distinct wanted.pii_type), '{}')
  from policies
  cross join unnest(redacts) as wanted (pii_type)
  where team_id = team
    and status = 'active'
$$;

-- Gateways read settings with their routes.
create function policies_redact() returns trigger language plpgsql as $$
begin
  update routes
  set state = state
  where team_id = coalesce(new.team_id, old.team_id);
  return null;
end
$$;
create trigger policies_made after insert on policies for each row when (new.redacts <> '{}' and new.status = 'active') execute function policies_redact();
create trigger policies_replaced after update on policies for each row
  when ((old.redacts, old.status) is distinct from (new.redacts, new.status) and (old.redacts <> '{}' or new.redacts <> '{}')) execute function policies_redact();
create trigger policies_ended after delete on policies for each row when (old.redacts <> '{}' and old.status = 'active') execute function policies_redact();
