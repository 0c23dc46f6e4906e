-- What a running agent was recognised to speak, by asking it once per start. No row: it was not asked yet.
create table deployment_protocols (
  deployment_id text primary key references deployments on delete cascade,
  team_id text not null references teams on delete cascade,
  -- The process that was asked.
  instance_id text not null,
  -- As in the contract: kinds, paths, and bounded texts of the agent.
  protocols jsonb not null,
  -- It ended while it was asked, and is not asked again.
  left_alone boolean not null default false,
  asked_at timestamptz not null default date_trunc('milliseconds', clock_timestamp())
);
create index deployment_protocols_team on deployment_protocols (team_id);
create trigger deployment_protocols_changed after insert or update or delete on deployment_protocols for each row execute function team_changed();
