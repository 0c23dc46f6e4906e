-- Requests of people about their data: who is asked about is sealed until the request is done, and gone afterwards.
create table data_subject_requests (
  id text primary key,
  team_id text not null references teams on delete cascade,
  kind text not null check (kind in ('find', 'erase')),
  status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed')),
  reference text not null,
  sealed bytea,
  key_id text,
  -- To recognize the same person in two requests, and in the certificate, without keeping who it is.
  fingerprint text not null,
  places jsonb not null default '[]',
  certificate text,
  error text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  -- Until when a server has it; another takes it up afterwards.
  taken_until timestamptz,
  attempts int not null default 0,
  check ((status in ('queued', 'running')) = (sealed is not null))
);
create index data_subject_requests_newest on data_subject_requests (team_id, created_at desc);
create index data_subject_requests_waiting on data_subject_requests (created_at) where status in ('queued', 'running');
