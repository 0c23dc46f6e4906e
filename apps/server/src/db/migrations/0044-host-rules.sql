-- How an agent that runs is held to the rules of policies about hosts, as its node last saw it. No row: it is held to none.
create table host_holds (
  deployment_id text primary key references deployments on delete cascade,
  team_id text not null references teams on delete cascade,
  -- A digest of the rules.
  rules text not null,
  -- Why they are not in force; null: they are.
  problem text,
  seen_at timestamptz not null
);
create index host_holds_team on host_holds (team_id);
