-- A finding counts for the framework whose clause it breaks, and a control with nothing to look at is not applicable.

-- contract: the check takes one value more; what servers of the release before write passes it as before.
alter table compliance_results drop constraint compliance_results_status_check;
alter table compliance_results add constraint compliance_results_status_check
  check (status in ('passed', 'failed', 'unverified', 'not_applicable'));

-- {framework: resources that failed by its clauses}. Empty for runs from before: what failed then counts for every framework.
alter table compliance_results add column failed_by jsonb not null default '{}';

-- All controls are due, so that those runs are replaced within minutes.
delete from compliance_turns;

-- After a change what failed is checked again: these changes were no news of the team so far.
create trigger data_protection_team_changed after insert or update or delete on data_protection for each row execute function team_changed();
create trigger model_providers_changed after insert or update or delete on model_providers for each row execute function team_changed();
create function person_changed() returns trigger language plpgsql as $$
begin
  perform raise_team_version(m.team_id)
  from team_members m
  where m.user_id = coalesce(new.user_id, old.user_id);
  return null;
end $$;
create trigger second_factors_changed after insert or update of is_confirmed or delete on second_factors
  for each row execute function person_changed();
