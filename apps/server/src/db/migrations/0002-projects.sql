create table projects (
  id text primary key,
  team_id text not null references teams,
  name text not null,
  description text not null default '',
  -- Host label of the production address; unique over all teams, stays when the project is renamed.
  subdomain text not null unique,
  -- Set first when a project is deleted; the row goes once its agents are stopped and its files gone.
  deleting_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index projects_name on projects (team_id, name) where deleting_at is null;
create index projects_list on projects (team_id, created_at desc, id desc);
create trigger projects_changed after insert or update or delete on projects for each row execute function team_changed();

-- Values are sealed with AES-256-GCM; key_id names the key that opens them.
create table variables (
  team_id text not null references teams,
  project_id text not null references projects on delete cascade,
  environment text not null check (environment in ('production', 'preview')),
  key text not null,
  sealed bytea not null,
  key_id text not null,
  available_at_build boolean not null default false,
  updated_at timestamptz not null default now(),
  primary key (project_id, environment, key)
);
create trigger variables_changed after insert or update or delete on variables for each row execute function team_changed();
