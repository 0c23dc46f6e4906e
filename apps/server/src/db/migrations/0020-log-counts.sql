-- How many lines of each level a log has, so that a viewer need not read millions of lines to tell. Kept in the transactions that write
-- and drop lines.
alter table log_heads
  add column debug_lines bigint not null default 0,
  add column info_lines bigint not null default 0,
  add column warning_lines bigint not null default 0,
  add column error_lines bigint not null default 0,
  -- Only lines after this number are counted above. Older ones are counted when somebody asks, and then this becomes 0.
  add column counted_since bigint not null default 0,
  -- The number up to which this was kept. While servers are upgraded one after the other, some write lines and know nothing of it.
  add column counted_number bigint not null default 0;
update log_heads set counted_since = last_number, counted_number = last_number;

create function forget_log_counts() returns trigger language plpgsql as $$
begin
  new.debug_lines := 0;
  new.info_lines := 0;
  new.warning_lines := 0;
  new.error_lines := 0;
  new.counted_since := new.last_number;
  new.counted_number := new.last_number;
  return new;
end $$;
create trigger log_heads_counts before insert or update on log_heads
  for each row when (new.counted_number <> new.last_number) execute function forget_log_counts();
