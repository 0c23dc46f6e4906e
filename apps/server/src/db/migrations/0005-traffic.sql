-- Requests per deployment and minute. Each gateway process writes its own rows with absolute figures, so a repeated write changes nothing.
create table traffic_minutes (
  deployment_id text not null,
  minute timestamptz not null,
  gateway_id text not null,
  requests bigint not null,
  -- By class of the answer: [1xx, 2xx, 3xx, 4xx, 5xx].
  statuses bigint[] not null,
  -- Of the 5xx, those that the gateway made itself: no connection, time-out, broken answer.
  upstream_errors bigint not null,
  bytes_in bigint not null,
  bytes_out bigint not null,
  latency_us_sum bigint not null,
  -- Log-linear buckets, sparse: {"<bucket>": count}. The scheme is in the gateway's histogram.ts.
  latency jsonb not null,
  primary key (deployment_id, minute, gateway_id)
);
create index traffic_minutes_age on traffic_minutes (minute);
