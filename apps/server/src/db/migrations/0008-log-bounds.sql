-- When a deployment's lines were written, so that reading them opens the days that can hold them and no others. All of it moves
-- in the transaction that writes the lines.
alter table log_heads
  -- No line is newer.
  add column last_at timestamptz not null default 'infinity',
  -- No line after the one with this number is older than this. Two of them: the older one covers the last 1,000 lines at any time,
  -- the newer one takes its place once it does, too.
  add column older_number bigint not null default 0,
  add column older_at timestamptz not null default '-infinity',
  add column newer_number bigint not null default 0,
  add column newer_at timestamptz not null default '-infinity',
  -- The number up to which this was kept. While servers are upgraded one after the other, some write lines and know nothing of it.
  add column bounded_number bigint not null default 0;
update log_heads set bounded_number = last_number;

create function forget_log_bounds() returns trigger language plpgsql as $$
begin
  new.last_at := 'infinity';
  new.older_at := '-infinity';
  new.newer_at := '-infinity';
  new.bounded_number := new.last_number;
  return new;
end $$;
create trigger log_heads_bounds before insert or update on log_heads
  for each row when (new.bounded_number <> new.last_number) execute function forget_log_bounds();
