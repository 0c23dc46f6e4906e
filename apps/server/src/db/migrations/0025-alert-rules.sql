-- What a team changed of the rules about an agent; what is not here is as it comes (packages/contract/src/alert-rules.ts).
create table alert_rules (
  team_id text not null references teams on delete cascade,
  project_id text not null references projects on delete cascade,
  rule text not null,
  is_on boolean not null,
  threshold float8 not null,
  primary key (project_id, rule)
);
