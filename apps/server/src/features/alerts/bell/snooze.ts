import type { Alert } from '@paddock/contract';
import { recordAction } from '../../../audit/record-action.ts';
import type { Sql, Tx } from '../../../db/connect.ts';
import { createIsolatedLoop } from '../../../jobs/isolated-loop.ts';
import type { Log } from '../../../log.ts';
import type { AlertMail } from './notify.ts';

/** Batch size; further alerts follow a minute later. */
const wokenAtOnce = 500;

type Woken = Pick<Alert, 'severity' | 'message' | 'deployment_id'> & { team_id: string; title: string | null };

/** Postpones alerts of a team. */
export const createSnooze = (sql: Sql, tell: (tx: Tx, team_id: string, news: AlertMail) => Promise<void>) => {
  /** Reopens the alert and notifies once more. Does nothing if it was resolved, woken or snoozed again meanwhile. */
  const wake = (id: string) =>
    sql.begin(async (tx) => {
      const [woken] = await tx<Woken[]>`
        update alerts
        set snoozed_until = null, mailed_at = case when severity = 'info' then mailed_at else now() end
        where id = ${id}
          and resolved_at is null
          and snoozed_until <= now()
        returning team_id, severity, title, message, deployment_id`;
      if (!woken || woken.severity === 'info') return;
      const { team_id, title, message, deployment_id } = woken;
      await tell(tx, team_id, { title: `Still open: ${title ?? 'an alert'}`, message, deployment_id: deployment_id ?? undefined });
    });

  return {
    /** Snoozes an open alert; 0 minutes wake it. */
    snoozeOpen: (team_id: string, id: string, minutes: number) =>
      sql.begin(async (tx) => {
        const [changed] = await tx`
          update alerts
          set snoozed_until = case when ${minutes}::int > 0 then date_trunc('milliseconds', now() + make_interval(mins => ${minutes}::int)) end
          where team_id = ${team_id}
            and id = ${id}
            and resolved_at is null
          returning 1`;
        if (changed) await recordAction(tx, id);
      }),

    /** Wakes the expired snoozes of all teams. */
    waking(log: Log) {
      const each = createIsolatedLoop(log, 'ending the snooze of an alert');
      return async () => {
        const due = await sql<{ id: string }[]>`
          select id
          from alerts
          where resolved_at is null
            and snoozed_until <= now()
          order by snoozed_until
          limit ${wokenAtOnce}`;
        await each(
          due,
          ({ id }) => id,
          ({ id }) => wake(id),
        );
      };
    },
  };
};
