create table deployments (
  id text primary key,
  team_id text not null references teams,
  project_id text not null references projects on delete cascade,
  environment text not null check (environment in ('production', 'preview')),
  status text not null check (status in ('queued', 'building', 'deploying', 'active', 'completed', 'failed', 'stopped')),
  database_mode text not null default 'none' check (database_mode in ('managed', 'byo', 'none')),
  -- BYO addresses, sealed like variables: {redis_url, postgres_url} as JSON.
  databases_sealed bytea,
  databases_key_id text,
  -- A person asked to cancel while a worker owned the row. The owner acts on it.
  cancel_requested boolean not null default false,
  error_message text,
  failed_stage text,
  agent_type text,
  trigger text not null default 'upload' check (trigger in ('upload', 'sample', 'redeploy', 'rollback')),
  source_deployment_id text,
  source_blob text not null,
  source_name text not null,
  source_bytes bigint not null,
  -- What the form or the API said of the agent: {root, start}. Wins over everything in the archive.
  settings jsonb not null default '{}',
  plan jsonb,
  -- What the builder made: artifact folder, mounts, command, environment (never secrets).
  artifact jsonb,
  -- Lease of the worker that moves this deployment; a higher fence always wins.
  fence bigint not null default 0,
  lease_owner text,
  lease_until timestamptz,
  attempts integer not null default 0,
  -- The process that serves this deployment, and the port of it that answered.
  instance_id text,
  -- Label of the installation (data directory) whose driver runs the instance; others leave it alone.
  node text,
  instance_port integer,
  -- True for the one that serves its project and environment.
  is_current boolean not null default false,
  restart_times timestamptz[] not null default '{}',
  restart_at timestamptz,
  created_by text not null,
  created_at timestamptz not null default now(),
  building_at timestamptz,
  deploying_at timestamptz,
  deployed_at timestamptz,
  drain_until timestamptz,
  ended_at timestamptz
);
create index deployments_list on deployments (team_id, created_at desc, id desc);
create index deployments_project on deployments (project_id, environment, created_at desc, id desc);
create index deployments_moving on deployments (created_at) where status in ('queued', 'building', 'deploying');
create index deployments_live on deployments (id) where status = 'active' or drain_until is not null;
create unique index deployments_current on deployments (project_id, environment) where is_current;
create trigger deployments_changed after insert or update of status, is_current, restart_times, error_message, plan or delete
  on deployments for each row execute function team_changed();

create function deployment_queued() returns trigger language plpgsql as $$
begin
  perform pg_notify('work', new.id);
  return null;
end $$;
create trigger deployments_work after insert or update of status, cancel_requested on deployments for each row execute function deployment_queued();

-- Where the gateway sends a host label. One row per address; a target is set only while something answers there.
create table routes (
  label text primary key,
  team_id text not null,
  project_id text not null references projects on delete cascade,
  deployment_id text references deployments on delete cascade,
  -- 'active' has a target; the others tell the page that visitors get.
  state text not null check (state in ('active', 'starting', 'stopped', 'crashed')),
  target_host text,
  target_port integer,
  version bigint not null
);
create index routes_project on routes (project_id);
create index routes_by_version on routes (version);
create sequence route_versions;
create function route_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform pg_notify('routes', old.label);
    return old;
  end if;
  new.version := nextval('route_versions');
  perform pg_notify('routes', new.label);
  return new;
end $$;
create trigger routes_changed before insert or update or delete on routes for each row execute function route_changed();
