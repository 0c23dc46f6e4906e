-- The sequencer serves teams in turn, so every row of the intake names its team. A row without one is a batch of an older gateway, which may hold several teams.
alter table audit_intake add column team_id text;
alter table audit_intake add column turn text generated always as (
  left(coalesce(nullif(team_id, ''), nullif(event->>'team_id', ''), 'unknown'), 200)
) stored;
create index audit_intake_turns on audit_intake (turn, number);

-- Replaces tokens of personal data in a text. The tokens are given in lower case; a team has thousands of them, so they are looked up and never searched one by one.
create function without_tokens(body text, tokens text[], mark text) returns text language plpgsql immutable parallel safe as $$
declare
  token text;
begin
  for token in
    select distinct held[1]
    from regexp_matches(body, '\[[a-z_]+:[a-z2-9]{8}\]', 'gi') as held
    where lower(held[1]) = any(tokens)
  loop
    body := replace(body, token, mark);
  end loop;
  return body;
end
$$;
