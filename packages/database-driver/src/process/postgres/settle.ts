import type { Sql } from 'postgres';
import { DATABASE, type DatabaseAddress, type DatabaseSpec, USER } from '../../driver.ts';
import { asAdmin } from './connect.ts';
import { startCounting } from './measure.ts';
import { scramVerifier } from './scram.ts';

const RIGHTS = 'LOGIN CREATEDB NOSUPERUSER NOCREATEROLE NOREPLICATION NOBYPASSRLS INHERIT';
/** Of ours, in postgresql.auto.conf: that no connections are accepted outlives a restart, and does not go into backups. */
const REFUSED = 'paddock.connections_refused';

/** The user, its database, and no way into the others. Idempotent. */
export async function settle(spec: DatabaseSpec, { port }: DatabaseAddress): Promise<void> {
  const verifier = await scramVerifier(spec.password);
  await asAdmin(spec, { port }, async (sql) => {
    const [found] = await sql<{ role: boolean; base: boolean; refused: boolean }[]>`
      SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = ${USER}) AS role,
             EXISTS (SELECT FROM pg_database WHERE datname = ${DATABASE}) AS base,
             coalesce(current_setting(${REFUSED}, true), '') = 'on' AS refused`;
    const limit = found?.refused ? 0 : spec.limits.connections;
    await sql.unsafe(`${found?.role ? 'ALTER' : 'CREATE'} ROLE ${USER} ${RIGHTS} CONNECTION LIMIT ${limit} PASSWORD '${verifier}'`);
    if (!found?.base) await sql.unsafe(`CREATE DATABASE ${DATABASE} OWNER ${USER}`);
    await sql.unsafe('REVOKE CONNECT, TEMPORARY ON DATABASE postgres, template1 FROM PUBLIC');
    await startCounting(sql);
  });
  await asAdmin(spec, { port, database: DATABASE }, async (sql) => {
    // Only where it is as PostgreSQL made it: somebody may have dropped it, or put it into other hands.
    const [fresh] = await sql`SELECT FROM pg_namespace WHERE nspname = 'public' AND nspowner = 'pg_database_owner'::regrole`;
    if (fresh) await sql.unsafe(`ALTER SCHEMA public OWNER TO ${USER}`);
  });
}

/** Open connections stay. */
export async function setPassword(spec: DatabaseSpec, { port }: DatabaseAddress): Promise<void> {
  const verifier = await scramVerifier(spec.password);
  await asAdmin(spec, { port }, (sql) => sql.unsafe(`ALTER ROLE ${USER} PASSWORD '${verifier}'`));
}

/** Repeating it is harmless: sessions end only when something changes. */
export async function setWriting(
  spec: DatabaseSpec,
  { port }: DatabaseAddress,
  writing: 'allowed' | 'read_only' | 'refused',
): Promise<void> {
  await asAdmin(spec, { port }, async (sql) => {
    const overridden = await resetOwnSettings(sql);
    const changed = [
      await setSystem(sql, 'default_transaction_read_only', writing !== 'allowed'),
      await setSystem(sql, REFUSED, writing === 'refused'),
    ].some(Boolean);
    await sql.unsafe(`ALTER ROLE ${USER} CONNECTION LIMIT ${writing === 'refused' ? 0 : spec.limits.connections}`);
    if (changed) await sql`SELECT pg_reload_conf()`;
    if (writing !== 'allowed' && (changed || overridden)) await endSessions(sql);
  });
}

/** Whether that was a change. */
async function setSystem(sql: Sql, name: string, on: boolean): Promise<boolean> {
  const [row] = await sql<{ on: boolean }[]>`
    SELECT EXISTS (SELECT FROM pg_file_settings WHERE name = ${name} AND setting = 'on' AND sourcefile LIKE '%postgresql.auto.conf') AS on`;
  if (row?.on === on) return false;
  await sql.unsafe(on ? `ALTER SYSTEM SET ${name} = 'on'` : `ALTER SYSTEM RESET ${name}`);
  return true;
}

/** The user may store settings for its databases and itself, which would come before the server's. */
async function resetOwnSettings(sql: Sql): Promise<boolean> {
  const stored = await sql<{ role: string | null; base: string | null }[]>`
    SELECT r.rolname AS role, d.datname AS base FROM pg_db_role_setting s
      LEFT JOIN pg_roles r ON r.oid = s.setrole LEFT JOIN pg_database d ON d.oid = s.setdatabase
     WHERE EXISTS (SELECT FROM unnest(s.setconfig) AS line WHERE line LIKE 'default\\_transaction\\_read\\_only=%')`;
  for (const { role, base } of stored) {
    const whose =
      role === null
        ? sql`DATABASE ${sql(base ?? DATABASE)}`
        : base === null
          ? sql`ROLE ${sql(role)}`
          : sql`ROLE ${sql(role)} IN DATABASE ${sql(base)}`;
    await sql`ALTER ${whose} RESET default_transaction_read_only`;
  }
  return stored.length > 0;
}

async function endSessions(sql: Sql): Promise<void> {
  await sql`SELECT pg_terminate_backend(pid, 2000) FROM pg_stat_activity WHERE usename = ${USER}`;
}
