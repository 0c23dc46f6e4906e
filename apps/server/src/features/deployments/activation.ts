import type { Sql } from '../../db/connect.ts';
import { closeOwnRoute, routeTo, type Target } from './addresses.ts';
import type { AgentAlerts } from './agent-alerts.ts';
import { type Claimed, fenceRaised, released } from './leases.ts';
import { move, moveOwn } from './states.ts';

/** The agent's address, and its port inside the instance. */
export type InstanceTarget = Target & { instance_port: number };

interface Active {
  agent_type: 'web' | 'worker';
  target: InstanceTarget | undefined;
  drainSeconds: number;
  keptSeconds?: number;
}

/**
 * Activates a ready deployment: the address moves to it and its predecessor starts draining, in one transaction. A web agent is kept for
 * `keptSeconds`, in case this one fails at once. Ends as stopped instead when a newer deployment already serves. `target` is undefined for
 * an agent that does not listen.
 */
export const activation =
  (sql: Sql, { machine, alerts }: { machine: string; alerts: AgentAlerts }) =>
  (d: Claimed, { agent_type, target, drainSeconds, keptSeconds = drainSeconds }: Active): Promise<'active' | 'superseded'> =>
    sql.begin(async (tx) => {
      // Serialises swaps of one project.
      await tx`
        select 1
        from projects
        where id = ${d.project_id}
        for update`;
      const [newer] = await tx`
        select 1
        from deployments
        where project_id = ${d.project_id}
          and environment = ${d.environment}
          and is_current
          and id <> ${d.id}
          and created_at > (
            select created_at
            from deployments
            where id = ${d.id}
          )`;
      if (newer) {
        await moveOwn(tx, d, { to: 'stopped', why: 'superseded', set: tx`ended_at = now(), drain_until = now(), ${released(tx)}` });
        return 'superseded' as const;
      }
      const replaced = await move(tx, {
        to: 'stopped',
        why: 'replaced',
        where: tx`
          d.project_id = ${d.project_id}
          and d.environment = ${d.environment}
          and d.is_current
          and d.id <> ${d.id}`,
        set: tx`
          is_current = false,
          ended_at = now(),
          restart_at = null,
          ${fenceRaised(tx)},
          replaced_by = ${d.id},
          drain_until = now() + (case when agent_type = 'web' then ${`${keptSeconds} seconds`} else ${`${drainSeconds} seconds`} end)::interval`,
      });
      for (const { id } of replaced) {
        // If several are replaced within a minute, only the last one is kept longer than its open requests need.
        await tx`
          update deployments
          set drain_until = least(drain_until, ended_at + ${`${drainSeconds} seconds`}::interval)
          where replaced_by = ${id}
            and drain_until is not null`;
        await closeOwnRoute(tx, id, d);
      }
      await moveOwn(tx, d, {
        to: 'active',
        why: 'ready',
        set: tx`
          is_current = true,
          agent_type = ${agent_type},
          deployed_at = coalesce(deployed_at, now()),
          instance_port = ${target?.instance_port ?? null},
          restart_at = null,
          attempts = 0,
          cut_short = 0,
          error_message = null,
          failed_stage = null,
          ${released(tx)}`,
      });
      // failpoint: swap-uncommitted
      await routeTo(tx, d, { target, machine });
      await alerts.clearOlder(tx, d.id);
      return 'active' as const;
    });
