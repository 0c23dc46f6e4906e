import type { Sql } from '../db/connect.ts';
import type { Reserve } from '../disk/reserve.ts';
import { asApiError } from '../http/problems.ts';
import type { Log } from '../log.ts';
import { type Call, runInCall } from './call.ts';
import { readActions } from './read-actions.ts';
import { recentReads } from './recent-reads.ts';
import { recordAction } from './record-action.ts';
import { refusals } from './refusals.ts';

export type Audit = ReturnType<typeof createAudit>;

/** Audit records of API calls. Changes are recorded by the stores that make them, with `note`. */
export function createAudit(sql: Sql, reserve: Pick<Reserve, 'withRoom'>, log: Log) {
  const refused = refusals(sql, log);
  const reads = recentReads();
  return {
    /** Runs the work of a call; an error response is recorded. */
    async runInCall<T>(call: Call, work: () => Promise<T>): Promise<T> {
      try {
        return await runInCall(call, work);
      } catch (error) {
        refused.tell(call, asApiError(error));
        throw error;
      }
    },

    /** Called before the data of a read is returned. Throws if the read cannot be recorded. */
    async noteRead(call: Call): Promise<void> {
      const { action, actor, target_id } = call;
      if (!readActions.has(action) || call.isNoted || !actor) return;
      const id = target_id ?? actor.team_id;
      // A client that displays a log polls it.
      const isPolled = action === 'log.read';
      const reader = `${actor.key_id ?? actor.user_id} ${id}`;
      if (isPolled && reads.has(reader)) return;
      await reserve.withRoom('note', () => recordAction(sql, id));
      if (isPolled) reads.add(reader);
    },

    settle: refused.settle,
    close: refused.close,
  };
}
