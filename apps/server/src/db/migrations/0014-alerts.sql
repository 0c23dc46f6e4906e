-- What somebody has to look at. One open alert per cause: `rule` names it, with the thing that it is about.
create table alerts (
  id text primary key,
  team_id text not null references teams on delete cascade,
  project_id text references projects on delete cascade,
  deployment_id text,
  database_id text,
  rule text not null,
  severity text not null check (severity in ('info', 'warning', 'critical')),
  message text not null,
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  -- By a person, or because the cause is gone.
  resolved_at timestamptz,
  -- The cause is gone. A cause that lasts does not come back as a new alert because somebody resolved the one that tells of it.
  cleared_at timestamptz
);
create unique index alerts_open on alerts (team_id, rule, coalesce(database_id, deployment_id, '')) where resolved_at is null;
create index alerts_lasting on alerts (team_id, rule, coalesce(database_id, deployment_id, '')) where cleared_at is null;
create index alerts_list on alerts (team_id, created_at desc, id desc);
create trigger alerts_changed after insert or update or delete on alerts for each row execute function team_changed();
