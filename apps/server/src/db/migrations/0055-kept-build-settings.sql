-- Folder and start command of the agent that uploads of a project get which give neither: {"root": …, "start": …}. Null where none are kept.
alter table projects add column build_settings jsonb;

-- What could be deployed instead of a deployment whose archive says nothing that can be started: [{"root": …, "start": …, "because": …}].
alter table deployments add column failure_choices jsonb;
