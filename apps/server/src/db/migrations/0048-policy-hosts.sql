-- How many hosts the rules of a policy name: those of a team's active policies have a limit together.
alter table policies add column hosts integer not null default 0;

-- Policies from before, by their separators; saving one counts exactly.
update policies
set hosts = (
  select coalesce(sum(regexp_count(rule, ',|\sand\s') + 1), 0)
  from unnest(rules) as rule
  where rule ~* '^\s*(allowed|blocked)\s+hosts?\s*:'
);
