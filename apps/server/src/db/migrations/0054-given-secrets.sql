-- The secrets that an agent was started with, sealed: they are blanked in what it says, also after a variable was changed that it still has. Null when it never
-- started, and an hour after its end.
alter table deployments
  add column given_sealed bytea,
  add column given_key_id text;

create index deployments_given on deployments (project_id) where given_sealed is not null;

create function secrets_given() returns trigger language plpgsql as $$
begin
  perform pg_notify('secrets', new.team_id);
  return null;
end $$;
create trigger deployments_secrets after update of given_sealed on deployments
  for each row when (new.given_sealed is not null) execute function secrets_given();
