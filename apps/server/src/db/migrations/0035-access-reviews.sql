-- Reviews of who has access to a team: what was looked at, what was decided of each entry, and by whom.
create table access_reviews (
  id text primary key,
  team_id text not null references teams on delete cascade,
  -- Names as they were: a review is evidence.
  started_by text not null,
  started_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  completed_by text,
  completed_at timestamptz,
  -- Moved by each decision, so that readers hear of it.
  changed_at timestamptz not null default now(),
  check ((completed_at is null) = (completed_by is null))
);
-- One is open at a time.
create unique index access_reviews_open on access_reviews (team_id) where completed_at is null;
create index access_reviews_newest on access_reviews (team_id, started_at desc);

create table access_review_items (
  id text primary key,
  -- The order in which entries are shown.
  place bigint generated always as identity,
  review_id text not null references access_reviews on delete cascade,
  team_id text not null references teams on delete cascade,
  kind text not null check (kind in ('person', 'identity', 'api_key')),
  -- Of a person the id, of a key its family, of an identity person, provider and moment: one that is linked anew is another.
  subject_id text not null,
  name text not null,
  user_id text not null,
  held_by text,
  grants text[] not null,
  detail text not null,
  last_used_at timestamptz,
  added_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  decision text check (decision in ('keep', 'revoke', 'gone')),
  decided_by text,
  decided_at timestamptz,
  unique (review_id, kind, subject_id),
  check ((decision is null) = (decided_at is null))
);
create index access_review_items_place on access_review_items (review_id, place);
create index access_review_items_team on access_review_items (team_id);

create trigger access_reviews_changed after insert or update on access_reviews for each row execute function team_changed();
