-- Which deployment took the place of this one: should that crash in its first minute, this one serves again.
alter table deployments add column replaced_by text;

-- Of alerts about the agent of a project and environment: one open alert per rule and environment, whichever deployment it tells of.
alter table alerts add column environment text check (environment in ('production', 'preview'));
-- When people were mailed about it: bounds how often a cause that comes and goes is told by mail.
alter table alerts add column mailed_at timestamptz;
create unique index alerts_open_environment on alerts (team_id, rule, project_id, environment) where resolved_at is null and environment is not null;
