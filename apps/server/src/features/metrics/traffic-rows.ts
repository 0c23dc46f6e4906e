import type { Sql } from '../../db/connect.ts';

/** Traffic of one step, or of all of them together. Latencies in microseconds, null without requests. */
export interface Traffic {
  requests: number;
  statuses: [number, number, number, number, number];
  upstream_errors: number;
  bytes_in: number;
  bytes_out: number;
  latency_us_sum: number;
  p50_us: number | null;
  p95_us: number | null;
  p99_us: number | null;
}
export interface TrafficStep extends Traffic {
  at: Date;
}
export type Pair = { agent_id: string; deployment_id: string };

export interface Row extends Omit<Traffic, 'statuses'> {
  agent_id: string;
  /** Null: the sum of all. */
  at: string | null;
  s1: number;
  s2: number;
  s3: number;
  s4: number;
  s5: number;
}

/** The sums of given rows, in the form of `Row`. */
export const sums = (sql: Sql) => sql`
    sum(requests)::float8 as requests, sum(statuses[1])::float8 as s1, sum(statuses[2])::float8 as s2, sum(statuses[3])::float8 as s3,
    sum(statuses[4])::float8 as s4, sum(statuses[5])::float8 as s5, sum(upstream_errors)::float8 as upstream_errors,
    sum(bytes_in)::float8 as bytes_in, sum(bytes_out)::float8 as bytes_out, sum(latency_us_sum)::float8 as latency_us_sum`;

/** The columns that are read for summing up. */
export const counted = (sql: Sql) => sql`agent_id, requests, statuses, upstream_errors, bytes_in, bytes_out, latency_us_sum, latency`;

/** The requested deployments, each with its agent. */
export const pairs = (sql: Sql, asked: Pair[]) => sql`
  select agent_id, deployment_id
  from jsonb_to_recordset(${sql.json(asked)}) as given (agent_id text, deployment_id text)`;

export const asTraffic = ({
  requests,
  upstream_errors,
  bytes_in,
  bytes_out,
  latency_us_sum,
  p50_us,
  p95_us,
  p99_us,
  ...row
}: Row): Traffic => ({
  ...{ requests, upstream_errors, bytes_in, bytes_out, latency_us_sum, p50_us, p95_us, p99_us },
  statuses: [row.s1, row.s2, row.s3, row.s4, row.s5],
});

export const noTraffic: Traffic = {
  ...{ requests: 0, upstream_errors: 0, bytes_in: 0, bytes_out: 0, latency_us_sum: 0 },
  statuses: [0, 0, 0, 0, 0],
  ...{ p50_us: null, p95_us: null, p99_us: null },
};
