-- The audit trail: what happened, per team, append-only and chained. docs/audit-format.md says what is hashed.

-- What is to be recorded, in the transaction of its cause, until the sequencer has given it a number and a place in the chain.
create table audit_intake (
  number bigint generated always as identity primary key,
  -- One event of the server, or of a trigger.
  event jsonb,
  -- Or many of a gateway: JSON lines, compressed with raw deflate.
  events bytea,
  created_at timestamptz not null default clock_timestamp(),
  check ((event is null) <> (events is null))
);
create function audit_noted() returns trigger language plpgsql as $$
begin
  perform pg_notify('audit', '');
  return null;
end
$$;
create trigger audit_intake_noted after insert on audit_intake for each statement execute function audit_noted();

-- What the sequencer could not read, for whoever looks into it. Nothing else reads it.
create table audit_unreadable (
  number bigint primary key,
  event jsonb,
  events bytea,
  error text not null,
  put_aside_at timestamptz not null default now()
);

-- How far each spool of a gateway was taken in. A gateway hands in a batch and moves this in one transaction, so a batch counts once.
create table audit_spools (
  id text primary key,
  -- The number of the last record that was handed in.
  handed_in bigint not null default 0,
  updated_at timestamptz not null default now()
);

create table audit_records (
  team_id text not null,
  -- Counts each team's records from 1, without a gap.
  seq bigint not null,
  id text not null,
  timestamp timestamptz not null,
  recorded_at timestamptz not null,
  agent_id text,
  agent_name text,
  action_type text not null,
  action text not null,
  status text not null,
  duration_ms float8,
  actor_type text not null,
  actor_id text,
  target_type text,
  target_id text,
  trace_id text,
  request_id text,
  -- SHA-256 over salt and body of the payload, which may be erased.
  payload_hash bytea not null,
  hash bytea not null,
  primary key (team_id, seq, recorded_at)
) partition by range (recorded_at);
create index audit_records_newest on audit_records (team_id, timestamp desc, seq desc);
create index audit_records_agent on audit_records (team_id, agent_id, timestamp desc, seq desc);
create index audit_records_rare on audit_records (team_id, action_type, timestamp desc, seq desc) where action_type not in ('request', 'response');
create index audit_records_unwell on audit_records (team_id, status, timestamp desc, seq desc) where status <> 'success';
create index audit_records_actor on audit_records (team_id, actor_id, timestamp desc, seq desc) where actor_id is not null;
create index audit_records_id on audit_records using hash (id);
create index audit_records_trace on audit_records using hash (trace_id) where trace_id is not null;
create index audit_records_request on audit_records using hash (request_id) where request_id is not null;

-- What retention and erasure remove: bodies, addresses, names. The chain holds its salted hash.
create table audit_payloads (
  team_id text not null,
  seq bigint not null,
  recorded_at timestamptz not null,
  salt bytea not null,
  -- Canonical JSON, as it was hashed.
  body text not null,
  primary key (team_id, seq, recorded_at)
) partition by range (recorded_at);

create table audit_heads (
  team_id text primary key,
  seq bigint not null,
  hash bytea not null,
  -- The last record that a checkpoint covers.
  checkpoint_seq bigint not null default 0,
  recorded_at timestamptz not null
);

-- The installation's Ed25519 key, sealed; the first server makes it.
create table audit_signing_key (
  id int primary key default 1 check (id = 1),
  sealed bytea not null,
  key_id text not null
);

create table audit_checkpoints (
  team_id text not null,
  seq bigint not null,
  -- The signed line, as it stands in the file.
  line text not null,
  created_at timestamptz not null,
  -- When the webhook took it.
  delivered_at timestamptz,
  primary key (team_id, seq)
);
create index audit_checkpoints_waiting on audit_checkpoints (created_at) where delivered_at is null;

-- Agents that the trail names, to choose from.
create table audit_agents (
  team_id text not null,
  agent_id text not null,
  agent_name text not null,
  primary key (team_id, agent_id)
);

-- The last verification and the last retention run.
create table audit_verifications (
  team_id text primary key,
  valid boolean not null,
  checked bigint not null,
  up_to_seq bigint not null,
  first_bad jsonb,
  verified_at timestamptz not null
);
create table audit_retention_runs (
  id bigint generated always as identity primary key,
  ran_at timestamptz not null,
  older_than timestamptz not null,
  deleted bigint not null
);

create table pii_hours (
  team_id text not null,
  project_id text not null,
  hour timestamptz not null,
  scans bigint not null,
  detected bigint not null,
  redacted bigint not null,
  -- Type to count.
  types jsonb not null,
  primary key (team_id, project_id, hour)
);

-- What a project wants done with personal data; the absence of a row means the defaults of the contract.
create table data_protection (
  project_id text primary key references projects on delete cascade,
  team_id text not null,
  settings jsonb not null,
  updated_at timestamptz not null default now()
);
-- Gateways read settings with their routes.
create function data_protection_changed() returns trigger language plpgsql as $$
declare project text := coalesce(new.project_id, old.project_id);
begin
  update routes
  set state = state
  where deployment_id in (select id from deployments where project_id = project);
  return null;
end
$$;
create trigger data_protection_routes after insert or update or delete on data_protection for each row execute function data_protection_changed();

-- Records are added, never changed. Payloads go with their partition, or where `paddock.erasing` says why.
create function audit_unchangeable() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and tg_table_name like 'audit_payloads%' and current_setting('paddock.erasing', true) in ('retention', 'erasure') then
    return old;
  end if;
  raise exception 'the audit trail is append-only' using errcode = 'insufficient_privilege';
end
$$;
create trigger audit_records_kept before update or delete on audit_records for each row execute function audit_unchangeable();
create trigger audit_payloads_kept before update or delete on audit_payloads for each row execute function audit_unchangeable();
create trigger audit_records_whole before truncate on audit_records for each statement execute function audit_unchangeable();
create trigger audit_payloads_whole before truncate on audit_payloads for each statement execute function audit_unchangeable();

-- Makes the partitions of a day: of records one a month, of payloads one a day, which retention drops.
create function audit_partitions(day date) returns void language plpgsql as $$
declare
  first_of_month date := date_trunc('month', day)::date;
  records text := 'audit_records_' || to_char(first_of_month, 'YYYYMM');
  payloads text := 'audit_payloads_' || to_char(day, 'YYYYMMDD');
begin
  if to_regclass(records) is not null and to_regclass(payloads) is not null then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtext('audit_partitions'));
  if to_regclass(records) is null then
    execute format('create table %I partition of audit_records for values from (%L) to (%L)', records,
      first_of_month::text || ' 00:00:00+00', (first_of_month + interval '1 month')::date::text || ' 00:00:00+00');
    execute format('create trigger audit_records_whole before truncate on %I for each statement execute function audit_unchangeable()', records);
    execute format('revoke update, delete, truncate on %I from current_user', records);
  end if;
  if to_regclass(payloads) is null then
    execute format('create table %I partition of audit_payloads for values from (%L) to (%L)', payloads,
      day::text || ' 00:00:00+00', (day + 1)::text || ' 00:00:00+00');
    execute format('create trigger audit_payloads_whole before truncate on %I for each statement execute function audit_unchangeable()', payloads);
    execute format('revoke update, truncate on %I from current_user', payloads);
  end if;
end
$$;
do $$
begin
  perform audit_partitions((now() at time zone 'UTC')::date);
  perform audit_partitions((now() at time zone 'UTC')::date + 1);
  execute 'revoke update, delete, truncate on audit_records from current_user';
  execute 'revoke update, truncate on audit_payloads from current_user';
end
$$;
