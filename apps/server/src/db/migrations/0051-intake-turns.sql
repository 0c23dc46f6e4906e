-- The sequencer serves teams in turn, so every row of the intake names its team. A row without one is a batch of an older gateway, which may hold several teams.
alter table audit_intake add column team_id text;
alter table audit_intake add column turn text generated always as (
  left(coalesce(nullif(team_id, ''), nullif(event->>'team_id', ''), 'unknown'), 200)
) stored;
create index audit_intake_turns on audit_intake (turn, number);
