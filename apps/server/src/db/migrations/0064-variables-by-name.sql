-- The variables that the process of a deployment was started with, by name, each with the time of its last change; never their values.
alter table deployments add column variable_times jsonb;
