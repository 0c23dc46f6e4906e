-- The git commit that a deployment's archive was packed from, as its sender names it, and a message of the sender.
alter table deployments
  add column message text,
  add column commit_sha text,
  add column commit_branch text,
  add column commit_dirty boolean;
