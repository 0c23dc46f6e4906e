import type { Sql, TransactionSql } from 'postgres';
import { DATABASE, type DatabaseAddress, type DatabaseSpec, USER } from '../../driver.ts';
import { startCounting } from './measure.ts';
import { lockRoles, lockRolesAndDatabases, overrule } from './overrule.ts';
import { scramVerifier } from './scram.ts';
import { endSessions } from './sessions.ts';

const RIGHTS = 'LOGIN CREATEDB NOSUPERUSER NOCREATEROLE NOREPLICATION NOBYPASSRLS INHERIT';
/** Of ours, in postgresql.auto.conf: that no connections are accepted outlives a restart, and does not go into backups. */
const REFUSED = 'paddock.connections_refused';

/**
 * The user, its database, and no way into the others. Idempotent. The platform never enters a database of the user, where settings,
 * functions and locks are the user's.
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

/** What every connection string names is there and lets the user in, whatever the user did to it. */
async function settleDatabase(sql: Sql): Promise<void> {
  const [base] = await sql<{ is_broken: boolean; is_closed: boolean }[]>`
    SELECT datconnlimit = -2 AS is_broken, NOT datallowconn OR datconnlimit = 0 AS is_closed FROM pg_database WHERE datname = ${DATABASE}`;
  // A DROP DATABASE that was cut short leaves something that nobody can enter any more.
  if (base?.is_broken) await sql.unsafe(`DROP DATABASE ${DATABASE}`);
  if (!base || base.is_broken) await sql.unsafe(`CREATE DATABASE ${DATABASE} OWNER ${USER}`);
  else if (base.is_closed) await sql.unsafe(`ALTER DATABASE ${DATABASE} ALLOW_CONNECTIONS true CONNECTION LIMIT -1`);
}

/** Sessions that the password before opened are ended: from then on nothing of it is good any more. */
export async function setPassword(spec: DatabaseSpec, address: DatabaseAddress): Promise<void> {
  const verifier = await scramVerifier(spec.password);
  await overrule(spec, address, async (sql) => {
    await sql.begin(async (tx) => {
      await lockRoles(tx);
      await tx.unsafe(`ALTER ROLE ${USER} PASSWORD '${verifier}'`);
    });
    await endSessions(sql, { signing_in: true });
  });
}

/** Repeating it is harmless: sessions end only when something changes, or when there should be none. */
export async function setWriting(
  spec: DatabaseSpec,
  address: DatabaseAddress,
  writing: 'allowed' | 'read_only' | 'refused',
): Promise<void> {
  // What an attempt that was overtaken has changed is no change any more in the next one.
  let changed = false;
  let overridden = false;
  await overrule(spec, address, async (sql) => {
    overridden = (await resetOwnSettings(sql)) || overridden;
    try {
      changed = (await setSystem(sql, 'default_transaction_read_only', writing !== 'allowed')) || changed;
      changed = (await setSystem(sql, REFUSED, writing === 'refused')) || changed;
    } finally {
      // Always: an earlier call may have been cut short after it wrote the file and before the server read that.
      await sql`SELECT pg_reload_conf()`;
    }
    await limitConnections(sql, writing === 'refused' ? 0 : spec.limits.connections);
    if (writing === 'refused' || (writing === 'read_only' && (changed || overridden))) await endSessions(sql, { signing_in: changed });
  });
}

async function limitConnections(sql: Sql, connections: number): Promise<void> {
  const [same] = await sql`SELECT FROM pg_roles WHERE rolname = ${USER} AND rolconnlimit = ${connections}`;
  if (same) return;
  await sql.begin(async (tx) => {
    await lockRoles(tx);
    await tx.unsafe(`ALTER ROLE ${USER} CONNECTION LIMIT ${connections}`);
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

/** Of one transaction: each holds a lock until its end, and the smallest server has room for some three thousand. */
const SETTINGS_AT_ONCE = 200;
/** The rest is found at the next look. */
const MOST_TRANSACTIONS = 25;

/** The user names its databases as it likes: whatever stands in a name, PostgreSQL itself quotes it. */
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
     AND EXISTS (SELECT FROM unnest(s.setconfig) AS line WHERE starts_with(line, 'default_transaction_read_only='))
   LIMIT ${SETTINGS_AT_ONCE}`;

/** The user may store settings for its databases and itself, which would come before the server's. Whether there were any. */
async function resetOwnSettings(sql: Sql): Promise<boolean> {
  const found = await sql.unsafe(OWN_SETTINGS);
  if (found.length === 0) return false;
  for (let transactions = 0; transactions < MOST_TRANSACTIONS; transactions++) {
    if ((await sql.begin(resetSome)) < SETTINGS_AT_ONCE) break;
  }
  return true;
}

/** How many there were. */
async function resetSome(tx: TransactionSql): Promise<number> {
  await lockRolesAndDatabases(tx);
  const stored = await tx.unsafe<{ statement: string }[]>(OWN_SETTINGS);
  if (stored.length > 0) await tx.unsafe(stored.map(({ statement }) => statement).join(';\n'));
  return stored.length;
}
