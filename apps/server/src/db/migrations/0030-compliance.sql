-- What is checked of the installation and of teams, what was found, and what was accepted all the same.

-- One run of a control. Without a team it was of the installation, and counts for all teams.
create table compliance_results (
  id bigint generated always as identity primary key,
  team_id text references teams on delete cascade,
  control text not null,
  status text not null check (status in ('passed', 'failed', 'unverified')),
  looked_at text not null,
  -- What was found of each resource, failed ones first; of very many only the first.
  resources jsonb not null,
  resources_total integer not null,
  failed_total integer not null,
  unverified_total integer not null,
  checked_at timestamptz not null,
  duration_ms integer not null,
  -- Of Paddock.
  version text not null
);
create index compliance_results_last on compliance_results (team_id, control, id desc);
create index compliance_results_age on compliance_results (checked_at);

-- When a control is to be checked again. The installation's have an empty team.
create table compliance_turns (
  team_id text not null,
  control text not null,
  next_at timestamptz not null,
  primary key (team_id, control)
);

-- Checks that somebody asked for.
create table compliance_runs (
  id text primary key,
  team_id text not null references teams on delete cascade,
  framework text not null,
  status text not null check (status in ('queued', 'running', 'completed', 'failed')),
  controls_total integer not null,
  controls_done integer not null default 0,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  -- The server that works at it, and when it last said so.
  owner text,
  beat_at timestamptz not null default now()
);
-- A check that is under way is not begun again.
create unique index compliance_runs_open on compliance_runs (team_id, framework) where finished_at is null;
create index compliance_runs_age on compliance_runs (started_at);

create table compliance_waivers (
  id text primary key,
  team_id text not null references teams on delete cascade,
  control text not null,
  -- Null: for all that the control finds.
  resource_id text,
  owner text not null,
  reason text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp())
);
create index compliance_waivers_control on compliance_waivers (team_id, control, expires_at);

create trigger compliance_runs_changed after insert or update of status, controls_done on compliance_runs
  for each row execute function team_changed();
create trigger compliance_waivers_changed after insert or delete on compliance_waivers for each row execute function team_changed();
