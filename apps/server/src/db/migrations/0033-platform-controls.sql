-- Where the code of a deployment came from, what is installed in it, and which providers of models a team has agreements with.

-- Of the archive; null of deployments from before there was a digest.
alter table deployments add column source_sha256 text;

-- The packages installed in what was built, read once after the build.
create table deployment_packages (
  deployment_id text primary key references deployments on delete cascade,
  team_id text not null references teams on delete cascade,
  -- [{ecosystem, name, version, license}]
  packages jsonb not null,
  -- More were there than are kept, or some could not be read.
  is_partial boolean not null,
  read_at timestamptz not null default date_trunc('milliseconds', clock_timestamp())
);
create index deployment_packages_team on deployment_packages (team_id);

create table model_providers (
  team_id text not null references teams on delete cascade,
  provider text not null,
  region text not null,
  agreement text not null check (agreement in ('dpa', 'baa', 'none')),
  note text not null,
  primary key (team_id, provider)
);

-- Which providers of models were called.
create index spans_models on spans (deployment_id, started_at) where type in ('model', 'embedding');
