import type { Sql } from 'postgres';
import { type DatabaseAddress, type DatabaseFigures, type DatabaseSpec, USER } from '../../driver.ts';
import { asAdmin } from './connect.ts';

const STATEMENT_MS = 4_000;
/** The part of these 4 seconds for the sizes of databases: a user may create thousands of databases. */
const SIZES_MS = 2_000;
const SIZES_AT_ONCE = 20;

interface Sums {
  transactions: number;
  hits: number;
  reads: number;
}

/**
 * PostgreSQL keeps its counters across a clean restart, since autovacuum needs them. Figures count since the start, so the counters at the
 * start are stored in the platform's own database.
 */
export async function startCounting(sql: Sql): Promise<void> {
  await sql.unsafe(`
    CREATE SCHEMA IF NOT EXISTS paddock;
    CREATE TABLE IF NOT EXISTS paddock.counted_from (
      started timestamptz PRIMARY KEY,
      transactions bigint NOT NULL,
      hits bigint NOT NULL,
      reads bigint NOT NULL
    );
    DELETE FROM paddock.counted_from
     WHERE started <> pg_postmaster_start_time();
    INSERT INTO paddock.counted_from
    SELECT pg_postmaster_start_time(), ${SUMS}
        ON CONFLICT DO NOTHING`);
}

/** Selects the user's databases. The platform works in its own database. */
const OWN = `datdba = (SELECT oid FROM pg_roles WHERE rolname = '${USER}')`;
const SUMS = `
         coalesce(sum(xact_commit + xact_rollback), 0),
         coalesce(sum(blks_hit), 0),
         coalesce(sum(blks_read), 0)
    FROM pg_stat_database
    JOIN pg_database ON pg_database.oid = datid
   WHERE ${OWN}`;

export async function measurePostgres(spec: DatabaseSpec, { port }: DatabaseAddress): Promise<Omit<DatabaseFigures, 'memory_bytes'>> {
  return asAdmin(spec, { port, statementMs: STATEMENT_MS }, async (sql) => {
    const [row] = await sql.unsafe<(Sums & { connections: number; started_ms: number })[]>(`
      WITH sums (transactions, hits, reads) AS (
             SELECT ${SUMS}
           ),
           base AS (
             SELECT *
               FROM paddock.counted_from
              WHERE started = pg_postmaster_start_time()
           )
      SELECT greatest(0, s.transactions - coalesce(b.transactions, 0))::float8 AS transactions,
             greatest(0, s.hits - coalesce(b.hits, 0))::float8 AS hits,
             greatest(0, s.reads - coalesce(b.reads, 0))::float8 AS reads,
             (SELECT count(*)::int FROM pg_stat_activity WHERE usename = '${USER}') AS connections,
             (extract(epoch FROM pg_postmaster_start_time()) * 1000)::float8 AS started_ms
        FROM sums s
        LEFT JOIN base b ON true`);
    if (!row) throw new Error('PostgreSQL told no figures.');
    return {
      size_bytes: await sizeOfAll(sql, SIZES_MS),
      connections: row.connections,
      transactions: row.transactions,
      cache_hits: row.hits,
      cache_reads: row.reads,
      keys: null,
      evictions: null,
      started_ms: Math.floor(row.started_ms),
    };
  });
}

/**
 * Bytes of the user's databases on disk. If there are too many to measure in time, a random sample is extrapolated, so that many databases
 * cannot evade a limit.
 */
export async function sizeOfAll(sql: Sql, withinMs: number): Promise<number> {
  const all = await sql.unsafe<{ oid: string }[]>(`
    SELECT oid::text AS oid
      FROM pg_database
     WHERE ${OWN}
     ORDER BY random()`);
  const end = performance.now() + withinMs;
  let seen = 0;
  let bytes = 0;
  while (seen < all.length && (seen === 0 || performance.now() < end)) {
    const some = all.slice(seen, seen + SIZES_AT_ONCE).map(({ oid }) => oid);
    const [sum] = await sql<{ bytes: number }[]>`
      SELECT coalesce(sum(pg_database_size(oid)), 0)::float8 AS bytes
        FROM unnest(string_to_array(${some.join()}, ',')::oid[]) AS oid`;
    bytes += sum?.bytes ?? 0;
    seen += some.length;
  }
  return seen === 0 ? 0 : Math.round((bytes * all.length) / seen);
}
