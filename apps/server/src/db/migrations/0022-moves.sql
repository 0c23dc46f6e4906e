-- Each move of a deployment, in the transaction that made it: what ran when, why, and by whose wish. Read by whatever counts running time or tells
-- what happened; kept when the deployment is gone.
create table moves (
  -- Whoever reads on from a number takes only rows whose transaction is over for everybody (`pg_snapshot_xmin`): numbers are given before commits.
  number bigint generated always as identity primary key,
  transaction xid8 not null default pg_current_xact_id(),
  id text not null unique default 'mov_' || gen_random_uuid(),
  team_id text not null references teams on delete cascade,
  project_id text not null,
  environment text not null,
  deployment_id text not null,
  -- The owner's number at that time: a change that is made again since its answer got lost is noted once.
  fence bigint not null,
  from_status text,
  to_status text not null,
  at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  why text not null,
  -- The person; null where the platform did it.
  who text,
  unique (deployment_id, fence, why)
);
create index moves_list on moves (team_id, at desc, number desc);
