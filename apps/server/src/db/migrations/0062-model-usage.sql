-- Tokens by agent, model and UTC day. They outlive the hours, and the deployments and projects that made the calls.
create table model_usage_days (
  team_id text not null references teams on delete cascade,
  project_id text not null,
  environment text not null,
  day date not null,
  model text not null,
  calls bigint not null,
  input_tokens bigint not null,
  cached_tokens bigint not null,
  cache_write_tokens bigint not null,
  output_tokens bigint not null,
  primary key (team_id, project_id, environment, day, model)
);
create index model_usage_days_team on model_usage_days (team_id, day);
create index model_usage_days_age on model_usage_days (day);

-- Spans that arrive meanwhile wait for the end of this step, so that each is in the copied hours or summed by the new function, never in neither.
lock table spans in share row exclusive mode;
insert into model_usage_days (
  team_id, project_id, environment, day, model, calls, input_tokens, cached_tokens, cache_write_tokens, output_tokens)
select
  d.team_id, d.project_id, d.environment, (u.hour at time zone 'UTC')::date as day, u.model, sum(u.calls), sum(u.input_tokens),
  sum(u.cached_tokens), sum(u.cache_write_tokens), sum(u.output_tokens)
from model_usage_hours u
join deployments d on d.id = u.deployment_id
group by d.team_id, d.project_id, d.environment, day, u.model;

-- As in 0026, and the days.
create or replace function sum_up_spans() returns trigger language plpgsql as $$
begin
  insert into traces as t (
    deployment_id, trace_id, name, name_rank, named_at, started_at, ended_at, span_count, errors, input_tokens, output_tokens, models, bytes)
  select
    deployment_id, trace_id, (array_agg(name order by name_rank, started_at))[1], min(name_rank),
    (array_agg(started_at order by name_rank, started_at))[1], min(started_at),
    max(started_at + duration_us * interval '1 microsecond'), count(*), count(*) filter (where status = 'error'),
    sum(input_tokens) filter (where is_counted), sum(output_tokens) filter (where is_counted),
    coalesce(array_agg(distinct model) filter (where is_counted and model is not null), '{}'), sum(bytes)
  from (
    select *, case when origin = 'gateway' then 0 when parent_span_id is null then 1 else 2 end as name_rank
    from added
  ) ranked
  group by deployment_id, trace_id
  order by deployment_id, trace_id
  on conflict (deployment_id, trace_id) do update set
    name = case when (excluded.name_rank, excluded.named_at) < (t.name_rank, t.named_at) then excluded.name else t.name end,
    named_at = case when (excluded.name_rank, excluded.named_at) < (t.name_rank, t.named_at) then excluded.named_at else t.named_at end,
    name_rank = least(t.name_rank, excluded.name_rank),
    started_at = least(t.started_at, excluded.started_at),
    ended_at = greatest(t.ended_at, excluded.ended_at),
    span_count = t.span_count + excluded.span_count,
    errors = t.errors + excluded.errors,
    input_tokens = coalesce(t.input_tokens + excluded.input_tokens, t.input_tokens, excluded.input_tokens),
    output_tokens = coalesce(t.output_tokens + excluded.output_tokens, t.output_tokens, excluded.output_tokens),
    models = case
      when excluded.models <@ t.models or cardinality(t.models) >= 20 then t.models
      else array(select distinct model from unnest(t.models || excluded.models) as both_of(model) order by model)
    end,
    bytes = t.bytes + excluded.bytes;

  insert into model_usage_hours as u (
    deployment_id, hour, model, calls, input_tokens, cached_tokens, cache_write_tokens, output_tokens, reasoning_tokens)
  select
    deployment_id, date_trunc('hour', started_at, 'UTC') as hour, model, count(*), coalesce(sum(input_tokens), 0), coalesce(sum(cached_tokens), 0),
    coalesce(sum(cache_write_tokens), 0), coalesce(sum(output_tokens), 0), coalesce(sum(reasoning_tokens), 0)
  from added
  where is_counted
    and model is not null
  group by deployment_id, hour, model
  order by deployment_id, hour, model
  on conflict (deployment_id, hour, model) do update set
    calls = u.calls + excluded.calls,
    input_tokens = u.input_tokens + excluded.input_tokens,
    cached_tokens = u.cached_tokens + excluded.cached_tokens,
    cache_write_tokens = u.cache_write_tokens + excluded.cache_write_tokens,
    output_tokens = u.output_tokens + excluded.output_tokens,
    reasoning_tokens = u.reasoning_tokens + excluded.reasoning_tokens;

  insert into model_usage_days as u (
    team_id, project_id, environment, day, model, calls, input_tokens, cached_tokens, cache_write_tokens, output_tokens)
  select
    d.team_id, d.project_id, d.environment, (a.started_at at time zone 'UTC')::date as day, a.model, count(*), coalesce(sum(a.input_tokens), 0),
    coalesce(sum(a.cached_tokens), 0), coalesce(sum(a.cache_write_tokens), 0), coalesce(sum(a.output_tokens), 0)
  from added a
  join deployments d on d.id = a.deployment_id
  where a.is_counted
    and a.model is not null
  group by d.team_id, d.project_id, d.environment, day, a.model
  order by d.team_id, d.project_id, d.environment, day, a.model
  on conflict (team_id, project_id, environment, day, model) do update set
    calls = u.calls + excluded.calls,
    input_tokens = u.input_tokens + excluded.input_tokens,
    cached_tokens = u.cached_tokens + excluded.cached_tokens,
    cache_write_tokens = u.cache_write_tokens + excluded.cache_write_tokens,
    output_tokens = u.output_tokens + excluded.output_tokens;
  return null;
end
$$;

-- Monthly budgets of what models cost, as `budgets` and `budget_warnings` are of usage; a project_id of '' is the whole team.
create table model_budgets (
  team_id text not null references teams on delete cascade,
  project_id text not null default '',
  amount_cents bigint not null check (amount_cents > 0),
  primary key (team_id, project_id)
);
create table model_budget_warnings (
  team_id text not null references teams on delete cascade,
  project_id text not null,
  month date not null,
  percent int not null,
  is_over boolean not null default false,
  primary key (team_id, project_id, percent)
);
