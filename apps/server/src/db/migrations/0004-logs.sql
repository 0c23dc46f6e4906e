-- Log lines, partitioned by day so that retention drops whole partitions.
create table log_lines (
  deployment_id text not null,
  number bigint not null,
  team_id text not null,
  level text not null,
  source text not null,
  message text not null,
  created_at timestamptz not null,
  primary key (deployment_id, number, created_at)
) partition by range (created_at);
create table log_lines_default partition of log_lines default;

-- The last number given out per deployment. Locked by whoever writes lines, so numbers have no gaps.
create table log_heads (
  deployment_id text primary key references deployments on delete cascade,
  team_id text not null,
  last_number bigint not null default 0
);

-- How far the collector has stored each output file; moves in the transaction that stores the lines.
create table log_offsets (
  instance_id text not null,
  stream text not null,
  deployment_id text not null references deployments on delete cascade,
  stored_bytes bigint not null default 0,
  -- True while the rest of an overlong line is being skipped.
  is_cut boolean not null default false,
  primary key (instance_id, stream)
);

-- Single-use tickets that open a live log.
create table log_tickets (
  token_hash bytea primary key,
  team_id text not null,
  session_id text not null references sessions on delete cascade,
  deployment_id text not null references deployments on delete cascade,
  expires_at timestamptz not null
);
create index log_tickets_expiry on log_tickets (expires_at);
