-- Each move of a deployment is an event of the audit trail, in the transaction that makes it.

create function audit_move() returns trigger language plpgsql as $$
declare
  project text := (select name from projects where id = new.project_id);
  person text := (select name from users where id = new.who);
  source text := (select source_name from deployments where id = new.deployment_id);
  -- The process ended and is to be started again: the deployment stays what it is. Once it is ready, it moves to the same status as before.
  is_restart boolean := new.from_status is not distinct from new.to_status and new.why <> 'ready';
begin
  insert into audit_intake (event)
  values (jsonb_build_object(
    'team_id', new.team_id,
    'id', 'aud_' || gen_random_uuid(),
    'timestamp', to_char(new.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'agent_id', new.project_id,
    'agent_name', project,
    'action_type', 'deployment',
    'action', case when is_restart then 'deployment.restart' else 'deployment.' || new.to_status end,
    'status', case when new.to_status = 'failed' then 'error' when is_restart then 'warning' else 'success' end,
    'actor', case
      when new.who is null then jsonb_build_object('type', 'platform', 'id', null, 'name', null)
      else jsonb_build_object('type', 'person', 'id', new.who, 'name', person)
    end,
    'user_id', new.who,
    'targets', jsonb_build_array(jsonb_build_object('type', 'deployment', 'id', new.deployment_id, 'name', left(source, 300))),
    'duration_ms', null,
    'trace_id', null,
    'input_data', jsonb_build_object('environment', new.environment, 'from', new.from_status, 'to', new.to_status, 'why', new.why),
    'output_data', null,
    'metadata', jsonb_build_object('ip_address', null, 'user_agent', null, 'request_id', null),
    'pii', null
  ));
  return null;
end
$$;
create trigger moves_audited after insert on moves for each row execute function audit_move();
