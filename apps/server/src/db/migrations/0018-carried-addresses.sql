-- Before databases were rows of their own, each deployment kept the addresses of its databases (databases_sealed). Since when its
-- environment has them as databases; null: not yet.
alter table deployments add column databases_carried_at timestamptz;
create index deployments_uncarried on deployments (project_id, environment)
  where databases_sealed is not null and databases_carried_at is null;
