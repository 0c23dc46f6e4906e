-- What ran, what was sent and what is stored, for bills. Spans are what was seen; days are made of them, and can be made again.

-- One row for each instance of an agent: from its start to its end, or to when its node saw it last. A row only grows, so nothing counts twice.
create table running_spans (
  instance_id text primary key,
  team_id text not null references teams on delete cascade,
  project_id text not null,
  deployment_id text not null,
  cpu_milli int not null,
  began_at timestamptz not null,
  seen_at timestamptz not null,
  check (began_at <= seen_at)
);
create index running_spans_seen on running_spans (seen_at);
create index running_spans_team on running_spans (team_id);

-- Sizes of managed databases: from each measurement to the next one. A size that changes by less than a thousandth goes on in its row. While nobody
-- measures, the last size counts up to the next measurement: the bytes lie on the disk all that time.
create table stored_spans (
  database_id text not null,
  began_at timestamptz not null,
  seen_at timestamptz not null,
  size_bytes bigint not null,
  team_id text not null references teams on delete cascade,
  project_id text not null,
  primary key (database_id, began_at)
);
create index stored_spans_seen on stored_spans (seen_at);
create index stored_spans_team on stored_spans (team_id);

create function note_stored() returns trigger language plpgsql as $$
declare
  last stored_spans;
begin
  select *
  into last
  from stored_spans
  where database_id = new.database_id
  order by began_at desc
  limit 1
  for update;
  if last.seen_at > new.at then
    return null; -- the clock was set back
  end if;
  if found then
    update stored_spans
    set seen_at = new.at
    where database_id = last.database_id
      and began_at = last.began_at;
    if abs(new.size_bytes - last.size_bytes) <= last.size_bytes / 1000 then
      return null;
    end if;
  end if;
  insert into stored_spans (database_id, began_at, seen_at, size_bytes, team_id, project_id)
  select id, new.at, new.at, new.size_bytes, team_id, project_id
  from databases
  where id = new.database_id
  on conflict (database_id, began_at) do update
  set size_bytes = excluded.size_bytes;
  return null;
end $$;
create trigger database_samples_stored after insert on database_samples for each row when (new.size_bytes is not null) execute function note_stored();

-- UTC days, in whole seconds, thousandths of a core times seconds, bytes, and bytes times hours. Kept when the project is gone.
create table metered_days (
  team_id text not null references teams on delete cascade,
  project_id text not null,
  day date not null,
  kind text not null check (kind in ('compute_s', 'core_ms', 'bandwidth_bytes', 'storage_byte_hours')),
  amount bigint not null check (amount >= 0),
  primary key (team_id, project_id, day, kind)
);
create index metered_days_day on metered_days (day);

-- How projects are called, also those that are gone.
create table metered_projects (
  team_id text not null references teams on delete cascade,
  project_id text not null,
  name text not null,
  primary key (team_id, project_id)
);

-- Months (their first days) that are closed: nothing of them changes any more.
create table metered_months (
  month date primary key check (month = date_trunc('month', month)),
  closed_at timestamptz not null
);

-- What became known of a closed month later on, counted in the month that was open then.
create table metered_corrections (
  team_id text not null references teams on delete cascade,
  project_id text not null,
  month date not null,
  of_month date not null,
  kind text not null,
  amount bigint not null check (amount > 0),
  primary key (team_id, project_id, month, of_month, kind)
);

create table metering (
  is_only boolean primary key default true check (is_only),
  metered_at timestamptz
);
insert into metering default values;

-- A team that is deleted takes its rows with it; nothing else changes a closed month.
create function keep_closed_months() returns trigger language plpgsql as $$
declare
  -- Of both tables: each has one of the two columns.
  was jsonb := to_jsonb(old);
  is_now jsonb := to_jsonb(new);
begin
  if tg_op = 'DELETE' and not exists (select 1 from teams where id = old.team_id) then
    return old;
  end if;
  if exists (
    select 1
    from metered_months
    where month in (
      date_trunc('month', coalesce(was ->> 'day', was ->> 'month')::date)::date,
      date_trunc('month', coalesce(is_now ->> 'day', is_now ->> 'month')::date)::date
    )
  ) then
    raise exception 'the usage of a closed month does not change';
  end if;
  return coalesce(new, old);
end $$;
create trigger metered_days_closed before insert or update or delete on metered_days for each row execute function keep_closed_months();
create trigger metered_corrections_closed before insert or update or delete on metered_corrections
for each row execute function keep_closed_months();
create function keep_closed() returns trigger language plpgsql as $$
begin
  raise exception 'a month that is closed stays closed';
end $$;
create trigger metered_months_closed before update or delete on metered_months for each row execute function keep_closed();

-- Monthly budgets in cents; a project_id of '' is the whole team.
create table budgets (
  team_id text not null references teams on delete cascade,
  project_id text not null default '',
  amount_cents bigint not null check (amount_cents > 0),
  primary key (team_id, project_id)
);
-- Which share of a budget was told in which month: once.
create table budget_warnings (
  team_id text not null references teams on delete cascade,
  project_id text not null,
  month date not null,
  percent int not null,
  -- Its budget was changed or removed: the alert is to be closed.
  is_over boolean not null default false,
  primary key (team_id, project_id, percent)
);
