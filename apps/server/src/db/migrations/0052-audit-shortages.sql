-- Spools of gateways that have no room for records with bodies, for as long as that lasts. The gateway writes what holds now, however often, and removes
-- the row when there is room again; a report that is lost is repeated.
create table audit_shortages (
  spool_id text primary key,
  -- The disk takes no more, or the database took in too little.
  cause text not null check (cause in ('disk', 'backlog')),
  -- Records have no bodies, or there is room for none and each project's setting decides.
  state text not null check (state in ('without_bodies', 'unrecorded')),
  since timestamptz not null,
  -- The last sign of life: what is silent for long is over.
  seen_at timestamptz not null default now(),
  -- Teams whose exchanges lack bodies or records because of it, up to a bound.
  team_ids text[] not null
);
