-- A finding counts for the framework whose clause it breaks, and a control with nothing to look at is not applicable.

alter table compliance_results drop constraint compliance_results_status_check;
alter table compliance_results add constraint compliance_results_status_check
  check (status in ('passed', 'failed', 'unverified', 'not_applicable'));

-- {framework: resources that failed by its clauses}. Empty for runs from before: what failed then counts for every framework.
alter table compliance_results add column failed_by jsonb not null default '{}';

-- All controls are due, so that those runs are replaced within minutes.
delete from compliance_turns;
