-- One row per installation (data directory) whose worker builds and runs agents. All times are the database's.
create table nodes (
  label text primary key,
  -- The process that speaks for it (host, pid, start); null once it has said goodbye.
  owner text,
  host text not null,
  -- The network stack in which its agents' addresses mean anything.
  machine text not null,
  -- Which store of archives it uses; living nodes share one.
  blob_store text not null,
  -- Seconds of silence after which it counts as dead, at the earliest: it beats often enough for its own setting.
  timeout_s integer not null,
  started_at timestamptz not null default now(),
  -- Since when it has been heard without a gap. Only who was there all the time may say that another was not.
  steady_since timestamptz not null default now(),
  seen_at timestamptz not null default now()
);
create index deployments_node on deployments (node) where node is not null;

-- A word sealed by the first server, so that one with another key finds out before it seals anything.
create table key_check (
  is_only boolean primary key default true check (is_only),
  sealed bytea not null,
  key_id text not null
);

-- The network stack in which the target is the agent. A gateway elsewhere would reach somebody else there.
alter table routes add column target_machine text;
