import type { Sql } from '../../apps/server/src/db/connect.ts';

/** Tables that stay in step with what people have made; each is counted. */
const tables = [
  ...['projects', 'deployments', 'routes', 'log_lines', 'log_heads', 'log_offsets', 'log_tickets', 'variables'],
  ...['traffic_minutes', 'idempotency_keys', 'rate_limits', 'sessions', 'users', 'teams', 'periodic_jobs'],
] as const;

export async function rowFigures(sql: Sql) {
  const rows: Record<string, number> = {};
  for (const table of tables) rows[table] = (await sql<[{ n: number }]>`select count(*)::int as n from ${sql(table)}`)[0].n;
  const [size] = await sql<[{ mb: number }]>`select (pg_database_size(current_database()) / 1048576.0)::float as mb`;
  const [connections] = await sql<
    [{ n: number }]
  >`select count(*)::int as n from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
  const states = await sql<
    { status: string; n: number }[]
  >`select status, count(*)::int as n from deployments group by status order by status`;
  return {
    rows,
    database_mb: Math.round(size.mb),
    connections: connections.n,
    deployments: Object.fromEntries(states.map((one) => [one.status, one.n])),
  };
}

/** Sweeps wait for things to grow old. This makes all that is left old enough, and the sweeps due. */
export async function ageRows(sql: Sql) {
  await sql`update idempotency_keys set created_at = created_at - interval '2 days'`;
  await sql`update rate_limits set window_start = window_start - interval '2 days'`;
  await sql`update log_tickets set expires_at = expires_at - interval '2 days'`;
  await sql`update traffic_minutes set minute = minute - interval '31 days'`;
  await sql`update periodic_jobs set next_run_at = now()`;
}
