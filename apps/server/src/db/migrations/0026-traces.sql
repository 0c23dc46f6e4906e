-- What happened within requests: spans of the gateways and of the agents, and one row per trace that sums them up.

create table spans (
  deployment_id text not null,
  trace_id text not null,
  -- gateway or agent: what an agent sends never stands in for what the gateway saw.
  origin text not null,
  span_id text not null,
  parent_span_id text,
  name text not null,
  kind text not null,
  type text not null,
  started_at timestamptz not null,
  duration_us bigint not null,
  status text not null,
  status_message text,
  provider text,
  model text,
  input_tokens bigint,
  cached_tokens bigint,
  cache_write_tokens bigint,
  output_tokens bigint,
  reasoning_tokens bigint,
  first_chunk_us bigint,
  -- False for a call of a model within which another span tells of the same call.
  is_counted boolean not null,
  attributes jsonb not null,
  events jsonb not null,
  dropped int not null,
  content_dropped int not null,
  -- What the row was counted as against the deployment's share.
  bytes int not null,
  primary key (deployment_id, trace_id, origin, span_id)
);

create table traces (
  deployment_id text not null,
  trace_id text not null,
  name text not null,
  -- Whose name it is: 0 of the gateway's span, 1 of a span without a parent, 2 of any other.
  name_rank smallint not null,
  named_at timestamptz not null,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  span_count int not null,
  errors int not null,
  input_tokens bigint,
  output_tokens bigint,
  models text[] not null,
  bytes bigint not null,
  primary key (deployment_id, trace_id)
);
create index traces_newest on traces (deployment_id, started_at desc, trace_id desc);
create index traces_age on traces (started_at);

-- Tokens by model, for what they cost. They outlive their traces.
create table model_usage_hours (
  deployment_id text not null,
  hour timestamptz not null,
  model text not null,
  calls bigint not null,
  input_tokens bigint not null,
  cached_tokens bigint not null,
  cache_write_tokens bigint not null,
  output_tokens bigint not null,
  reasoning_tokens bigint not null,
  primary key (deployment_id, hour, model)
);
create index model_usage_hours_age on model_usage_hours (hour);

-- What did not become a span.
create table trace_losses (
  deployment_id text not null,
  hour timestamptz not null,
  spans bigint not null,
  requests bigint not null,
  content bigint not null,
  unused bigint not null,
  primary key (deployment_id, hour)
);
create index trace_losses_age on trace_losses (hour);

-- A team's own prices, in US dollars for a million tokens.
create table model_prices (
  team_id text not null references teams on delete cascade,
  model text not null,
  input_usd float8 not null,
  cached_input_usd float8,
  cache_write_usd float8,
  output_usd float8 not null,
  primary key (team_id, model)
);

-- Gateways and servers write spans; whoever does, the sums follow in the same statement. Rows are locked in one order.
create function sum_up_spans() returns trigger language plpgsql as $$
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
  return null;
end
$$;
create trigger spans_summed after insert on spans referencing new table as added for each statement execute function sum_up_spans();
