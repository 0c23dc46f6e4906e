import type { Sql, TransactionSql } from 'postgres';
import { DATABASE, type DatabaseAddress, type DatabaseSpec, USER } from '../../driver.ts';
import { startCounting } from './measure.ts';
import { lockRoles, lockRolesAndDatabases, overrule } from './overrule.ts';
import { scramVerifier } from './scram.ts';
import { endSessions } from './sessions.ts';

const RIGHTS = 'LOGIN CREATEDB NOSUPERUSER NOCREATEROLE NOREPLICATION NOBYPASSRLS INHERIT';
/** Our own setting in postgresql.auto.conf: refusing connections survives a restart, and is not part of backups. */
const REFUSED = 'paddock.connections_refused';

/**
 * Creates the user and its database, and denies it access to the other databases. Idempotent. The platform never connects to a database of
 * the user, because its settings, functions and locks belong to the user.
 */
export async function settle(spec: DatabaseSpec, address: DatabaseAddress): Promise<void> {
  const verifier = await scramVerifier(spec.password);
  await overrule(spec, address, async (sql) => {
    await sql.begin((tx) => settleRole(tx, spec, verifier));
    await settleDatabase(sql);
    await sql.unsafe('REVOKE CONNECT, TEMPORARY ON DATABASE postgres, template1 FROM PUBLIC');
    await startCounting(sql);
  });
}

async function settleRole(tx: TransactionSql, spec: DatabaseSpec, verifier: string): Promise<void> {
  await lockRoles(tx);
  const [found] = await tx<{ role: boolean; refused: boolean }[]>`
    SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = ${USER}) AS role,
           coalesce(current_setting(${REFUSED}, true), '') = 'on' AS refused`;
  const limit = found?.refused ? 0 : spec.limits.connections;
  await tx.unsafe(`${found?.role ? 'ALTER' : 'CREATE'} ROLE ${USER} ${RIGHTS} CONNECTION LIMIT ${limit} PASSWORD '${verifier}'`);
}

/** Ensures that the database of the connection strings exists and admits the user, whatever the user did to it. */
async function settleDatabase(sql: Sql): Promise<void> {
  const [base] = await sql<{ is_broken: boolean; is_closed: boolean }[]>`
    SELECT datconnlimit = -2 AS is_broken,
           NOT datallowconn OR datconnlimit = 0 AS is_closed
      FROM pg_database
     WHERE datname = ${DATABASE}`;
  // An interrupted DROP DATABASE leaves a database that nobody can connect to.
  if (base?.is_broken) await sql.unsafe(`DROP DATABASE ${DATABASE}`);
  if (!base || base.is_broken) await sql.unsafe(`CREATE DATABASE ${DATABASE} OWNER ${USER}`);
  else if (base.is_closed) await sql.unsafe(`ALTER DATABASE ${DATABASE} ALLOW_CONNECTIONS true CONNECTION LIMIT -1`);
}

/** Sets the password and terminates the sessions that the earlier password opened. */
export async function setPassword(spec: DatabaseSpec, address: DatabaseAddress): Promise<void> {
  const verifier = await scramVerifier(spec.password);
  await overrule(spec, address, async (sql) => {
    await sql.begin(async (tx) => {
      await lockRoles(tx);
      await tx.unsafe(`ALTER ROLE ${USER} PASSWORD '${verifier}'`);
    });
    await endSessions(sql, { signingIn: true });
  });
}

/** Idempotent: sessions are terminated only if something changes, or if there should be none. */
export async function setWriting(
  spec: DatabaseSpec,
  address: DatabaseAddress,
  writing: 'allowed' | 'read_only' | 'refused',
): Promise<void> {
  // Kept across attempts: an overtaken attempt may have made the change, which the next attempt no longer detects.
  let changed = false;
  let overridden = false;
  await overrule(spec, address, async (sql) => {
    overridden = (await resetOwnSettings(sql)) || overridden;
    try {
      changed = (await setSystem(sql, 'default_transaction_read_only', writing !== 'allowed')) || changed;
      changed = (await setSystem(sql, REFUSED, writing === 'refused')) || changed;
    } finally {
      // Always reloaded: an earlier call may have been interrupted after it wrote the file and before the server read it.
      await sql`SELECT pg_reload_conf()`;
    }
    await limitConnections(sql, writing === 'refused' ? 0 : spec.limits.connections);
    if (writing === 'refused' || (writing === 'read_only' && (changed || overridden))) await endSessions(sql, { signingIn: changed });
  });
}

async function limitConnections(sql: Sql, connections: number): Promise<void> {
  const [same] = await sql`
    SELECT
      FROM pg_roles
     WHERE rolname = ${USER}
       AND rolconnlimit = ${connections}`;
  if (same) return;
  await sql.begin(async (tx) => {
    await lockRoles(tx);
    await tx.unsafe(`ALTER ROLE ${USER} CONNECTION LIMIT ${connections}`);
  });
}

/** Sets or resets a setting of the server. Returns whether that was a change. */
async function setSystem(sql: Sql, name: string, on: boolean): Promise<boolean> {
  const [row] = await sql<{ on: boolean }[]>`
    SELECT EXISTS (
             SELECT
               FROM pg_file_settings
              WHERE name = ${name}
                AND setting = 'on'
                AND sourcefile LIKE '%postgresql.auto.conf'
           ) AS on`;
  if (row?.on === on) return false;
  await sql.unsafe(on ? `ALTER SYSTEM SET ${name} = 'on'` : `ALTER SYSTEM RESET ${name}`);
  return true;
}

/**
 * Maximum settings reset in one transaction. Each takes a lock until its end, and the smallest server has room for some three thousand
 * locks.
 */
const SETTINGS_AT_ONCE = 200;
/** Bound of the transactions of one call. The next call resets the rest. */
const MAX_TRANSACTIONS = 25;

/** PostgreSQL quotes the names of databases, because the user chooses them. */
const OWN_SETTINGS = `
  SELECT CASE
           WHEN r.rolname IS NULL THEN format('ALTER DATABASE %I RESET default_transaction_read_only', d.datname)
           WHEN d.datname IS NULL THEN format('ALTER ROLE %I RESET default_transaction_read_only', r.rolname)
           ELSE format('ALTER ROLE %I IN DATABASE %I RESET default_transaction_read_only', r.rolname, d.datname)
         END AS statement
    FROM pg_db_role_setting s
    LEFT JOIN pg_roles r ON r.oid = s.setrole
    LEFT JOIN pg_database d ON d.oid = s.setdatabase
   WHERE (r.rolname IS NOT NULL OR d.datname IS NOT NULL)
     AND EXISTS (
           SELECT
             FROM unnest(s.setconfig) AS line
            WHERE starts_with(line, 'default_transaction_read_only=')
         )
   LIMIT ${SETTINGS_AT_ONCE}`;

/** Resets the settings that the user stored for its databases and itself, which override the server's. Returns whether there were any. */
async function resetOwnSettings(sql: Sql): Promise<boolean> {
  const found = await sql.unsafe(OWN_SETTINGS);
  if (found.length === 0) return false;
  for (let transactions = 0; transactions < MAX_TRANSACTIONS; transactions++) {
    if ((await sql.begin(resetSome)) < SETTINGS_AT_ONCE) break;
  }
  return true;
}

/** Returns the number of settings. */
async function resetSome(tx: TransactionSql): Promise<number> {
  await lockRolesAndDatabases(tx);
  const stored = await tx.unsafe<{ statement: string }[]>(OWN_SETTINGS);
  if (stored.length > 0) await tx.unsafe(stored.map(({ statement }) => statement).join(';\n'));
  return stored.length;
}
