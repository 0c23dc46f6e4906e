-- What agents did, over time (UTC). Minutes are kept for a week, half hours for 3 days, hours for 90 days, days for two years.

-- All gateways of a deployment together; the latency is merged bucket by bucket, so percentiles of hours and days are those of all their requests.
create table traffic_half_hours (
  deployment_id text not null,
  at timestamptz not null,
  requests bigint not null,
  statuses bigint[] not null,
  upstream_errors bigint not null,
  bytes_in bigint not null,
  bytes_out bigint not null,
  latency_us_sum bigint not null,
  latency jsonb not null,
  -- Of `latency`: a chart of 720 hours need not open the histograms.
  p50_us float8,
  p95_us float8,
  p99_us float8,
  primary key (deployment_id, at)
);
create index traffic_half_hours_age on traffic_half_hours (at);
create table traffic_hours (like traffic_half_hours including all);
create table traffic_days (like traffic_half_hours including all);

-- What a deployment's instances used, as its node saw it.
create table usage_minutes (
  deployment_id text not null,
  at timestamptz not null,
  -- Wall time and processor time between looks, and how much processor time there could have been.
  measured_ms bigint not null,
  cpu_ms bigint not null,
  cpu_limit_ms bigint not null,
  memory_bytes bigint not null,
  memory_limit_bytes bigint not null,
  primary key (deployment_id, at)
);
create index usage_minutes_age on usage_minutes (at);
create table usage_hours (like usage_minutes including all);
create table usage_days (like usage_minutes including all);

-- What is added up already: everything that began before `until`. What comes later for them is added by the next roll-up.
create table rolled_up (
  name text primary key,
  until timestamptz not null
);
insert into rolled_up (name, until) values ('half_hours', '-infinity'), ('hours', '-infinity'), ('days', '-infinity');

create index moves_of_environment on moves (project_id, environment, at, number);

-- The middle of a bucket in microseconds, and the value that a share of all requests did not exceed. The scheme is in the gateway's histogram.ts.
create function latency_bucket_us(bucket int) returns float8 language sql immutable parallel safe as $$
  select case when bucket < 128 then bucket else (bucket - (bucket / 64 - 1) * 64 + 0.5) * power(2::float8, bucket / 64 - 1) - 0.5 end
$$;
create function latency_us_at(latency jsonb, share float8) returns float8 language sql immutable parallel safe as $$
  with running as (
    select key::int as bucket, sum(value::bigint) over (order by key::int) as upto, sum(value::bigint) over () as total
    from jsonb_each_text(latency)
  )
  select latency_bucket_us(bucket)
  from running
  where upto >= greatest(1, ceil(share * total))
  order by bucket
  limit 1
$$;
