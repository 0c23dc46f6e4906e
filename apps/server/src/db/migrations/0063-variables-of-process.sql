-- The newest change among the variables that the process of a deployment was started with.
alter table deployments add column variables_at timestamptz;
