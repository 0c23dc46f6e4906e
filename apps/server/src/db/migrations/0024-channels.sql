-- Where a team wants to hear of alerts and deployments.
create table channels (
  id text primary key,
  team_id text not null references teams on delete cascade,
  name text not null,
  type text not null check (type in ('webhook', 'slack')),
  -- Address and signing secrets as JSON, sealed: an address often is a secret itself.
  sealed bytea not null,
  key_id text not null,
  events text[] not null,
  is_active boolean not null default true,
  -- Why Paddock switched it off.
  off_reason text,
  -- Since when each try failed; null since the last one that did not.
  failing_since timestamptz,
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp())
);
create index channels_of_team on channels (team_id, created_at, id);
create trigger channels_changed after insert or update of name, sealed, events, is_active, off_reason or delete
  on channels for each row execute function team_changed();

-- Messages that are to be sent, and for a month those that were. Without a reference to `channels`, which would lock: what triggers write here is part
-- of the moves of deployments, and those wait for nobody who deletes a channel. The sweep removes what is left.
create table channel_deliveries (
  id text primary key default 'dlv_' || gen_random_uuid(),
  team_id text not null references teams on delete cascade,
  channel_id text not null,
  event text not null,
  -- What happened, as the rows were in that transaction; the message is made of it.
  facts jsonb not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  -- Tries so far. A try raises it, and its outcome counts only while it stands: a server that slept too long changes nothing.
  attempts integer not null default 0,
  -- When it may be tried (again). A try moves it ahead by as long as it may take, so that no other server tries meanwhile.
  next_attempt_at timestamptz not null default now(),
  is_tried boolean not null default false,
  response_status integer,
  response_text text,
  error text,
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  delivered_at timestamptz
);
create index channel_deliveries_waiting on channel_deliveries (next_attempt_at) where status = 'pending';
create index channel_deliveries_pending on channel_deliveries (channel_id) where status = 'pending';
create index channel_deliveries_list on channel_deliveries (channel_id, created_at desc, id desc);
create index channel_deliveries_age on channel_deliveries (created_at);

-- One message to each channel of the team that wants to hear of it. A channel at which 1000 wait already gets no more: the message is kept as failed.
create function tell_channels(of_team text, what text, told jsonb) returns void language plpgsql as $$
begin
  insert into channel_deliveries (team_id, channel_id, event, facts, status, error)
  select
    of_team, c.id, what, told,
    case when w.is_full then 'failed' else 'pending' end,
    case when w.is_full then 'Not sent: 1000 messages waited already.' end
  from channels c
  cross join lateral (
    select count(*) >= 1000 as is_full
    from (
      select 1
      from channel_deliveries d
      where d.channel_id = c.id
        and d.status = 'pending'
      limit 1000
    ) waiting
  ) w
  where told is not null
    and c.team_id = of_team
    and c.is_active
    and what = any(c.events);
  if found then
    perform pg_notify('deliveries', '');
  end if;
end $$;

create function alert_told() returns trigger language plpgsql as $$
begin
  perform tell_channels(
    new.team_id,
    case when new.resolved_at is null then 'alert.opened' else 'alert.resolved' end,
    to_jsonb(new) || jsonb_build_object('project_name', (select p.name from projects p where p.id = new.project_id))
  );
  return null;
end $$;
create trigger alerts_opened after insert on alerts for each row when (new.resolved_at is null) execute function alert_told();
create trigger alerts_resolved after update of resolved_at on alerts
  for each row when (old.resolved_at is null and new.resolved_at is not null) execute function alert_told();

-- The statement that notes a move also changes the deployment: a trigger after it sees both.
create function move_told() returns trigger language plpgsql as $$
begin
  perform tell_channels(
    new.team_id,
    'deployment.' || new.to_status,
    (
      select jsonb_build_object(
        'id', d.id, 'project_name', p.name, 'subdomain', p.subdomain, 'environment', d.environment, 'status', new.to_status,
        'agent_type', d.agent_type, 'error_message', d.error_message, 'reason', new.why
      )
      from deployments d
      join projects p on p.id = d.project_id
      where d.id = new.deployment_id
    )
  );
  return null;
end $$;
-- A restart moves from active to active. Of a deployment that was replaced the active successor tells.
create trigger moves_told after insert on moves for each row
  when (
    new.from_status is distinct from new.to_status
    and (new.to_status in ('active', 'failed') or new.to_status = 'stopped' and new.why <> 'replaced')
  )
  execute function move_told();
