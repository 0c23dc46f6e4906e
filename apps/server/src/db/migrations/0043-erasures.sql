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
