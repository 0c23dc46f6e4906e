import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { USER } from '../../driver.ts';

const LOOK_MS = 100;
const LOOKS = 100;

/** What a statement of the platform waits for may change between two looks; it never has more to wait for than there are sessions. */
const BLOCKING = `
  SELECT pg_terminate_backend(held.pid)
    FROM unnest(pg_blocking_pids($1)) AS blocking (pid)
    JOIN pg_stat_activity AS held ON held.pid = blocking.pid
   WHERE held.usename = '${USER}'`;

/** Ends those sessions of the user for whose locks the session `pid` waits at this moment. */
export const endBlockers = (sql: Sql, pid: number) => sql.unsafe(BLOCKING, [pid]);

/**
 * PostgreSQL lists a session without its user while it signs in: the rules of before may have let it in already. It names no application either,
 * so the platform's own session ends with the others if it signs in at that moment; the next look or backup has a new one.
 */
const SIGNING_IN = 'usesysid IS NULL';
const OF_THE_USER = `usename = '${USER}'`;

/**
 * Ends the user's sessions that began before now and waits until they are gone. What begins later is let in by the rules of now and
 * stays. `signing_in`: the rules have just changed, so those that are signing in end, too. Throws when one does not end within ten seconds.
 */
export async function endSessions(sql: Sql, { signing_in }: { signing_in: boolean }): Promise<void> {
  const [now] = await sql<{ at: string }[]>`SELECT clock_timestamp()::text AS at`;
  const statement = `
    SELECT pg_terminate_backend(pid)
      FROM pg_stat_activity
     WHERE backend_type = 'client backend'
       AND pid <> pg_backend_pid()
       AND (${signing_in ? `${OF_THE_USER} OR ${SIGNING_IN}` : OF_THE_USER})
       AND backend_start <= $1::text::timestamptz`;
  for (let looks = 0; looks < LOOKS; looks++) {
    const left = await sql.unsafe(statement, [now!.at]);
    if (left.length === 0) return;
    await sleep(LOOK_MS);
  }
  throw new Error('PostgreSQL did not end the sessions of the database within 10 seconds.');
}
