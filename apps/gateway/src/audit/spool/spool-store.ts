import type { Sql } from '@paddock/database';
import { within } from '../../database.ts';

export interface Batch {
  /** The id of the spool. */
  id: string;
  /** Numbers of the last record submitted before this batch, and of the last record of this batch. */
  from: number;
  to: number;
  /** The records by team, so that the sequencer can serve teams in turn. */
  teams: TeamLines[];
}

export interface TeamLines {
  /** Null if the lines do not name a team. */
  team_id: string | null;
  /** Lines of JSON, compressed with raw deflate. */
  events: Buffer;
}

/** Submits batches to the sequencer; each statement rejects after `maxMs`. */
export function spoolStore(sql: Sql, maxMs: number) {
  return { handIn };

  /**
   * Submits a batch and moves the spool's cursor in one statement, if the cursor is where this process expects it. Returns the resulting cursor: it
   * is not `to` if an earlier attempt had succeeded, or if another process was faster.
   */
  async function handIn({ id, from, to, teams }: Batch): Promise<number> {
    const moved = await within(
      maxMs,
      sql`
        with moved as (
          update audit_spools
          set handed_in = ${to}, updated_at = now()
          where id = ${id}
            and handed_in = ${from}
          returning id
        )
        insert into audit_intake (team_id, events)
        select given.team_id, decode(given.events, 'hex')
        from moved
        cross join unnest(
          ${teams.map(({ team_id }) => team_id)}::text[],
          ${teams.map(({ events }) => events.toString('hex'))}::text[]
        ) with ordinality as given (team_id, events, at)
        order by given.at`,
    );
    return moved.count === teams.length ? to : await cursor(id, from);
  }

  /** Starts at `from` if the spool is not known yet. */
  async function cursor(id: string, from: number): Promise<number> {
    await within(
      maxMs,
      sql`
        insert into audit_spools (id, handed_in)
        values (${id}, ${from})
        on conflict do nothing`,
    );
    const [row] = await within(
      maxMs,
      sql<[{ handed_in: string }]>`
        select handed_in::text
        from audit_spools
        where id = ${id}`,
    );
    return Number(row.handed_in);
  }
}
