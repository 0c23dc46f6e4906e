import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql, TransactionSql } from 'postgres';
import type { DatabaseAddress, DatabaseSpec } from '../../driver.ts';
import { asAdmin } from './connect.ts';
import { endBlockers } from './sessions.ts';

/** A session of the user that only happens to be in the way is done by then. */
const PATIENCE_MS = 300;
const LOOK_MS = 100;
const ATTEMPTS = 3;

/** A lock that was not had in time, a deadlock, a row that changed meanwhile, a database that was dropped meanwhile. */
const OVERTAKEN = ['55P03', '40P01', '40001', '3D000'];

/**
 * Runs the platform's changes of roles, databases and settings, though sessions of the user hold locks in their way: a session that
 * makes them wait is ended. What was overtaken all the same is tried again, three times in all: `work` may run more than once.
 */
export async function overrule<T>(spec: DatabaseSpec, { port }: DatabaseAddress, work: (sql: Sql) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await asAdmin(spec, { port }, (sql) => withFreeWay(spec, port, sql, work));
    } catch (error) {
      if (attempt === ATTEMPTS || !isOvertaken(error)) throw error;
    }
  }
}

/**
 * Roles and stored settings change after this as if nobody else were there, until the end of the transaction: whoever has begun to
 * change them is waited for, and ended if need be; whoever begins now waits. Signing in goes on.
 */
export const lockRoles = (tx: TransactionSql) => tx.unsafe('LOCK TABLE pg_authid, pg_db_role_setting IN SHARE ROW EXCLUSIVE MODE');

/** The same, and no database is made, dropped or renamed meanwhile. */
export const lockRolesAndDatabases = (tx: TransactionSql) =>
  tx.unsafe('LOCK TABLE pg_authid, pg_db_role_setting, pg_database IN SHARE ROW EXCLUSIVE MODE');

async function withFreeWay<T>(spec: DatabaseSpec, port: number, sql: Sql, work: (sql: Sql) => Promise<T>): Promise<T> {
  const [own] = await sql<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  const done = new AbortController();
  const clearing = clearTheWay(spec, port, own!.pid, done.signal);
  const working = work(sql).finally(() => done.abort());
  // Where the way cannot be cleared, the bounds of the waiting statement hold; its error tells more than ours.
  const [outcome, cleared] = await Promise.allSettled([working, clearing]);
  if (outcome.status === 'fulfilled') return outcome.value;
  if (cleared.status === 'rejected' && isOvertaken(outcome.reason))
    throw new Error('Sessions of the database hold what has to be changed, and could not be ended.', { cause: cleared.reason });
  throw outcome.reason;
}

/** From a second connection, for the first one waits. */
async function clearTheWay(spec: DatabaseSpec, port: number, pid: number, done: AbortSignal): Promise<void> {
  await pause(PATIENCE_MS, done);
  if (done.aborted) return;
  await asAdmin(spec, { port }, async (sql) => {
    while (!done.aborted) {
      await endBlockers(sql, pid);
      await pause(LOOK_MS, done);
    }
  });
}

const pause = (ms: number, done: AbortSignal) => sleep(ms, undefined, { signal: done }).catch(() => 'done');

function isOvertaken(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return OVERTAKEN.includes(code ?? '') || Boolean(message?.includes('concurrently'));
}
