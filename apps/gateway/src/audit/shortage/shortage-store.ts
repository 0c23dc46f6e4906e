import type { Sql } from '@paddock/database';
import { within } from '../../database.ts';

/** A spool without room for bodies, as it is reported to the server. */
export interface Shortage {
  cause: 'disk' | 'backlog';
  state: 'without_bodies' | 'unrecorded';
}
export type ShortageStore = ReturnType<typeof shortageStore>;

/** Reports shortages of spools to the server; each statement rejects after `maxMs`. */
export const shortageStore = (sql: Sql, maxMs: number) => ({
  save: (spool_id: string, { cause, state, since, team_ids }: Shortage & { since: Date; team_ids: string[] }) =>
    within(
      maxMs,
      sql`
        insert into audit_shortages (spool_id, cause, state, since, team_ids)
        values (${spool_id}, ${cause}, ${state}, ${since.toISOString()}, ${team_ids})
        on conflict (spool_id) do update
        set
          cause = excluded.cause,
          state = excluded.state,
          since = excluded.since,
          team_ids = excluded.team_ids,
          seen_at = now()`,
    ),

  /** False if the server has no such report. */
  async renew(spool_id: string): Promise<boolean> {
    const renewed = await within(
      maxMs,
      sql`
        update audit_shortages
        set seen_at = now()
        where spool_id = ${spool_id}`,
    );
    return renewed.count > 0;
  },

  end: (spool_id: string) =>
    within(
      maxMs,
      sql`
        delete from audit_shortages
        where spool_id = ${spool_id}`,
    ),
});
