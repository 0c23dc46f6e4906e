-- Until then nobody is told of an open alert, and it does not count.
alter table alerts add column snoozed_until timestamptz;
-- Heads its mails; null of alerts that are older than this column.
alter table alerts add column title text;
create index alerts_snoozed on alerts (snoozed_until) where snoozed_until is not null and resolved_at is null;

-- Its time is over, and it is still open: channels hear of it once more. Not if a person woke it.
create trigger alerts_woken after update of snoozed_until on alerts
  for each row when (old.snoozed_until <= now() and new.snoozed_until is null and new.resolved_at is null) execute function alert_told();

create trigger alert_rules_changed after insert or update or delete on alert_rules for each row execute function team_changed();
