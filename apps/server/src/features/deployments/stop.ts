import { ApiError } from '@paddock/contract';
import { recordAction } from '../../audit/record-action.ts';
import type { Sql } from '../../db/connect.ts';
import { unroute } from './addresses.ts';
import { fenceRaised } from './leases.ts';
import { move } from './states.ts';
import { visibleDeployments } from './visible.ts';

/** Stops and cancels by users. */
export const stopQueries = (sql: Sql) => {
  const { visible } = visibleDeployments(sql);
  return {
    /** Stops an active deployment: its address shows it from the next request on; the supervisor stops the process. */
    stop: (team_id: string, id: string, who: string) =>
      sql.begin(async (tx) => {
        const [stopped] = await move(tx, {
          to: 'stopped',
          why: 'stopped',
          who,
          where: tx`d.team_id = ${team_id} and d.id = ${id} and d.status = 'active'`,
          set: tx`
            is_current = false,
            ended_at = now(),
            drain_until = now(),
            restart_at = null,
            ${fenceRaised(tx)}`,
        });
        if (!stopped) {
          const [known] = await tx`select 1 ${visible(team_id, tx)} and d.id = ${id}`;
          throw new ApiError(known ? 'deployment_not_active' : 'deployment_not_found');
        }
        await unroute(tx, [id], 'stopped');
        await recordAction(tx, id);
      }),

    /** A queued deployment ends here; one in progress is ended by its worker, which is notified at once. */
    cancel: (team_id: string, id: string, who: string) =>
      sql.begin(async (tx) => {
        const [row] = await tx<{ status: string }[]>`
          update deployments
          set cancel_requested = true
          where team_id = ${team_id}
            and id = ${id}
            and status in ('queued', 'building')
          returning status`;
        if (!row) {
          const [known] = await tx`select 1 ${visible(team_id, tx)} and d.id = ${id}`;
          throw new ApiError(known ? 'deployment_not_cancellable' : 'deployment_not_found');
        }
        await recordAction(tx, id);
        if (row.status === 'queued')
          await move(tx, {
            to: 'stopped',
            why: 'cancelled',
            who,
            where: tx`d.team_id = ${team_id} and d.id = ${id}`,
            set: tx`ended_at = now(), ${fenceRaised(tx)}`,
          });
      }),
  };
};
