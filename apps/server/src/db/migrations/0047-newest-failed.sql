-- The newest versions of its packages broke the first start: {"error", "date", "message"}. The deployment is built again with the versions of that date, once.
alter table deployments add column newest_failed jsonb;
