import type { Choice } from '@paddock/builder';
import type { Sql } from '../../db/connect.ts';
import { unroute } from './addresses.ts';
import type { AgentAlerts } from './agent-alerts.ts';
import { type OwnedDeployment, released } from './leases.ts';
import { type Fallback, restorePredecessor } from './predecessor.ts';
import { moveOwn, recordRestart } from './states.ts';

interface Deps {
  node: string;
  machine: string;
  alerts: AgentAlerts;
}

interface Failure {
  stage: 'queued' | 'building' | 'deploying' | 'active';
  message: string;
  /** Alternatives that could be deployed instead. */
  choices?: Choice[] | undefined;
  predecessor?: Fallback | undefined;
}
interface Crash {
  instance_id: string;
  delaySeconds: number;
  /** Predicate of a sentence, as 'exited with code 1' in 'The agent exited with code 1'. */
  how: string;
  isOutOfMemory?: boolean;
}

/** Transitions for the end of deployments and of their processes. Each one writes its alerts in the same transaction. */
export const exitTransitions = (sql: Sql, { node, machine, alerts }: Deps) => {
  const ours = sql`(node is null or node = ${node})`;
  return {
    /** `message`: evidence that the job did not do its work. */
    completed: (d: OwnedDeployment, message?: string) =>
      sql.begin(async (tx) => {
        await moveOwn(tx, d, {
          to: 'completed',
          why: 'completed',
          set: tx`
            agent_type = 'job',
            error_message = ${message ?? null},
            is_current = false,
            ended_at = now(),
            deployed_at = coalesce(deployed_at, now()),
            drain_until = now(),
            ${released(tx)}`,
        });
        await unroute(tx, [d.id], 'stopped');
        await alerts.clearOlder(tx, d.id);
      }),

    /**
     * Ends a deployment as failed, with its reason. The address stays with the predecessor if that one serves, or goes back to
     * `predecessor`: then returns true if that one serves again.
     */
    failed: (d: OwnedDeployment, { stage, message, choices = [], predecessor }: Failure): Promise<boolean> =>
      sql.begin(async (tx) => {
        // Serialises swaps of one project; this transition may be one.
        if (predecessor)
          await tx`
            select 1
            from projects
            where id = (
              select project_id
              from deployments
              where id = ${d.id}
            )
            for update`;
        await moveOwn(tx, d, {
          to: 'failed',
          why: 'failed',
          set: tx`
            failed_stage = ${stage},
            error_message = ${message},
            failure_choices = ${choices.length === 0 ? null : tx.json(choices as never)},
            is_current = false,
            restart_at = null,
            ended_at = now(),
            drain_until = now(),
            ${released(tx)}`,
        });
        await unroute(tx, [d.id], 'crashed');
        const isBack = predecessor !== undefined && (await restorePredecessor(tx, predecessor, { failed_id: d.id, machine }));
        await alerts.failed(tx, d.id, { stage, message });
        return isBack;
      }),

    /**
     * The process has exited: the address shows it until the restart, which is due after the delay. False if the exit was already recorded.
     */
    crashed: (id: string, { instance_id, delaySeconds, how, isOutOfMemory = false }: Crash): Promise<boolean> =>
      sql.begin(async (tx) => {
        const [row] = await tx<{ crashes: number }[]>`
          update deployments
          set
            restart_times = array(
              select t
              from unnest(restart_times) t
              where t > now() - interval '10 minutes'
            ) || now(),
            restart_at = now() + ${`${delaySeconds} seconds`}::interval
          where id = ${id}
            and status = 'active'
            and instance_id = ${instance_id}
            and restart_at is null
            and ${ours}
          returning cardinality(restart_times) as crashes`;
        if (!row) return false;
        await recordRestart(tx, [id], isOutOfMemory ? 'out_of_memory' : 'crashed');
        await unroute(tx, [id], 'crashed');
        await alerts.crashed(tx, id, { crashes: row.crashes, how });
        return true;
      }),
  };
};
