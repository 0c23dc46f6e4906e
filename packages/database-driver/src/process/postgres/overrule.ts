import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql, TransactionSql } from 'postgres';
import type { DatabaseAddress, DatabaseSpec } from '../../driver.ts';
import { asAdmin } from './connect.ts';
import { endBlockers } from './sessions.ts';

/** By then a session that holds a lock by chance has finished its transaction. */
const PATIENCE_MS = 300;
const CLEAR_EVERY_MS = 100;
const ATTEMPTS = 3;

/** Codes for a lock timeout, a deadlock, a row that changed concurrently, a database that was dropped concurrently. */
const OVERTAKEN = ['55P03', '40P01', '40001', '3D000'];

/**
 * Runs the platform's changes of roles, databases and settings even if sessions of the user hold locks: a session that blocks the changes
 * is terminated. If a session still overtakes the changes, `work` is retried, up to three attempts in all.
 */
export async function overrule<T>(spec: DatabaseSpec, { port }: DatabaseAddress, work: (sql: Sql) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await asAdmin(spec, { port }, (sql) => withFreeWay(sql, { spec, port }, work));
    } catch (error) {
      if (attempt === ATTEMPTS || !isOvertaken(error)) throw error;
    }
  }
}

/**
 * Prevents others from changing roles and stored settings until the end of the transaction. It waits for sessions that have begun to change
 * them, and terminates them if necessary; later sessions wait. Signing in still works.
 */
export const lockRoles = (tx: TransactionSql) => tx.unsafe('LOCK TABLE pg_authid, pg_db_role_setting IN SHARE ROW EXCLUSIVE MODE');

/** Like `lockRoles`, and also prevents creating, dropping and renaming databases. */
export const lockRolesAndDatabases = (tx: TransactionSql) =>
  tx.unsafe('LOCK TABLE pg_authid, pg_db_role_setting, pg_database IN SHARE ROW EXCLUSIVE MODE');

interface Server {
  spec: DatabaseSpec;
  port: number;
}

async function withFreeWay<T>(sql: Sql, server: Server, work: (sql: Sql) => Promise<T>): Promise<T> {
  const [own] = await sql<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  const done = new AbortController();
  const clearing = clearTheWay(server, own!.pid, done.signal);
  const working = work(sql).finally(() => done.abort());
  // If the sessions cannot be terminated, the waiting statement times out, and its error is more informative than ours.
  const [outcome, cleared] = await Promise.allSettled([working, clearing]);
  if (outcome.status === 'fulfilled') return outcome.value;
  if (cleared.status === 'rejected' && isOvertaken(outcome.reason))
    throw new Error('Sessions of the database hold what has to be changed, and could not be ended.', { cause: cleared.reason });
  throw outcome.reason;
}

/** Terminates the sessions that block the session `pid`. Uses a second connection, since the first is blocked. */
async function clearTheWay({ spec, port }: Server, pid: number, done: AbortSignal): Promise<void> {
  await pause(PATIENCE_MS, done);
  if (done.aborted) return;
  await asAdmin(spec, { port }, async (sql) => {
    while (!done.aborted) {
      await endBlockers(sql, pid);
      await pause(CLEAR_EVERY_MS, done);
    }
  });
}

const pause = (ms: number, done: AbortSignal) => sleep(ms, undefined, { signal: done }).catch(() => 'done');

function isOvertaken(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return OVERTAKEN.includes(code ?? '') || Boolean(message?.includes('concurrently'));
}
