import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { USER } from '../../driver.ts';

const LOOK_MS = 100;
const MAX_LOOKS = 100;

/** The sessions whose locks block a statement. They may change between two checks. */
const BLOCKING = `
  SELECT pg_terminate_backend(held.pid)
    FROM unnest(pg_blocking_pids($1)) AS blocking (pid)
    JOIN pg_stat_activity AS held ON held.pid = blocking.pid
   WHERE held.usename = '${USER}'`;

/** Terminates the user's sessions whose locks block the session `pid` right now. */
export const endBlockers = (sql: Sql, pid: number) => sql.unsafe(BLOCKING, [pid]);

/**
 * PostgreSQL lists a session without its user while the session signs in: the earlier rules may have admitted it already. The platform's
 * own session is listed the same way, and is terminated with the others if it signs in at that moment; the next call opens a new session.
 */
const SIGNING_IN = 'usesysid IS NULL';
const OF_THE_USER = `usename = '${USER}'`;

/**
 * Terminates the user's sessions that began before now, and waits until they are gone. Later sessions were admitted by the present rules
 * and are kept. `signingIn`: the rules have just changed, so sessions that are signing in are terminated, too. Throws if a session does not
 * end within ten seconds.
 */
export async function endSessions(sql: Sql, { signingIn }: { signingIn: boolean }): Promise<void> {
  const [now] = await sql<{ at: string }[]>`SELECT clock_timestamp()::text AS at`;
  const statement = `
    SELECT pg_terminate_backend(pid)
      FROM pg_stat_activity
     WHERE backend_type = 'client backend'
       AND pid <> pg_backend_pid()
       AND (${signingIn ? `${OF_THE_USER} OR ${SIGNING_IN}` : OF_THE_USER})
       AND backend_start <= $1::text::timestamptz`;
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    const left = await sql.unsafe(statement, [now!.at]);
    if (left.length === 0) return;
    await sleep(LOOK_MS);
  }
  throw new Error('PostgreSQL did not end the sessions of the database within 10 seconds.');
}
