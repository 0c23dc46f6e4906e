import type { Sql } from '../../apps/server/src/db/connect.ts';

/** Tables that grow with what people create. The rows of each are counted. */
const tables = [
  ...['projects', 'deployments', 'routes', 'log_lines', 'log_heads', 'log_offsets', 'log_tickets', 'variables'],
  ...['traffic_minutes', 'idempotency_keys', 'rate_limits', 'sessions', 'users', 'teams', 'periodic_jobs'],
] as const;

/** Under load there are millions of lines, and counting them would disturb the measurement, so PostgreSQL's estimate is used. */
export async function rowFigures(sql: Sql, isUnderLoad: boolean) {
  const rows: Record<string, number> = {};
  for (const table of tables) {
    const [{ n }] = await (isUnderLoad && table === 'log_lines' ? known(sql, table) : counted(sql, table));
    rows[table] = n;
  }
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

const counted = (sql: Sql, table: string) => sql<[{ n: number }]>`select count(*)::int as n from ${sql(table)}`;
/** The estimated rows of all partitions of the table. */
const known = (sql: Sql, table: string) => sql<[{ n: number }]>`
  select coalesce(sum(n_live_tup), 0)::int as n from pg_stat_user_tables where starts_with(relname, ${table})`;

/** Makes all remaining rows old enough for the sweeps, and the sweeps due. */
export async function ageRows(sql: Sql) {
  await sql`update idempotency_keys set created_at = created_at - interval '2 days'`;
  await sql`update rate_limits set window_start = window_start - interval '2 days'`;
  await sql`update log_tickets set expires_at = expires_at - interval '2 days'`;
  await sql`update traffic_minutes set minute = minute - interval '31 days'`;
  await sql`update periodic_jobs set next_run_at = now()`;
}
