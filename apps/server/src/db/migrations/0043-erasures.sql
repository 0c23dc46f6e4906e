-- Trigger for tables that are being replaced by a copy of themselves: notes the keys of rows that change meanwhile. Its arguments are the table of the keys and
-- the key's columns, each as ($1).column.
create function note_changed_key() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    execute format('insert into %I select %s', tg_argv[0], tg_argv[1]) using old;
  end if;
  if tg_op <> 'DELETE' then
    execute format('insert into %I select %s', tg_argv[0], tg_argv[1]) using new;
  end if;
  return null;
end
$$;

-- An erasure beyond the stated share of what a place holds needs this count, confirmed by the person who asks for it.
alter table data_subject_requests add column confirmed_count bigint;

-- Actor and targets of configuration and data access outlive an erasure of their payloads, until retention.
create table audit_remainders (
  team_id text not null,
  seq bigint not null,
  recorded_at timestamptz not null,
  -- JSON with the fields of the payload that stay.
  body text not null,
  primary key (team_id, seq)
);
create index audit_remainders_age on audit_remainders (recorded_at);
create function audit_remainder_unchangeable() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('paddock.erasing', true) = 'retention' then
    return old;
  end if;
  raise exception 'the audit trail is append-only' using errcode = 'insufficient_privilege';
end
$$;
create trigger audit_remainders_kept before update or delete on audit_remainders for each row execute function audit_remainder_unchangeable();

-- Signed lines that say which payloads were removed lawfully; docs/audit-format.md has their form. A payload that is missing and in no line was removed by hand.
create table audit_removals (
  number bigint generated always as identity primary key,
  team_id text not null,
  line text not null,
  created_at timestamptz not null default now()
);
create index audit_removals_team on audit_removals (team_id, number);
create function audit_removal_unchangeable() returns trigger language plpgsql as $$
begin
  raise exception 'the audit trail is append-only' using errcode = 'insufficient_privilege';
end
$$;
create trigger audit_removals_kept before update or delete on audit_removals for each row execute function audit_removal_unchangeable();
create trigger audit_removals_whole before truncate on audit_removals for each statement execute function audit_removal_unchangeable();

-- Trails with payloads that were removed before this: the server lists these once, up to this record.
create table audit_unlisted_removals (
  team_id text primary key,
  up_to_seq bigint not null
);
insert into audit_unlisted_removals (team_id, up_to_seq)
select team_id, seq
from audit_heads;
