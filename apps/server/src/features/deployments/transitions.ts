import type { Artifact } from '@paddock/builder';
import type { Deployment } from '@paddock/contract';
import type { Sql } from '../../db/connect.ts';
import { closeOwn, leadNowhere, leadTo, sayComing, sayStopped } from './addresses.ts';
import { type AlertsOfAgents, agentAlerts, noAlerts } from './agent-alerts.ts';
import { endings } from './endings.ts';
import { inUse } from './in-use.ts';
import { type Claimed, claimedColumns, LeaseLost, leases, type Owned, outdated, ownedBy, released } from './leases.ts';
import { move, moveOwn, noteRestart } from './states.ts';
import { predecessorOf } from './trial.ts';

export type Transitions = ReturnType<typeof transitions>;

/** A deployment that should be running, or is draining, as the supervisor sees it. */
export interface Live {
  id: string;
  team_id: string;
  status: Deployment['status'];
  agent_type: Deployment['agent_type'];
  instance_id: string | null;
  instance_port: number | null;
  drain_over: boolean;
  restart_at: string | null;
  owned: boolean;
  restarts: number;
  /** When it became active first, and when this was read. */
  deployed_at: string | null;
  asked_at: string;
}

/** The worker's side of deployments. Each change asks for the fence, so a worker that slept too long changes nothing. */
export const transitions = (sql: Sql, owner: string, node: string, machine = '', ofAgents: AlertsOfAgents = noAlerts) => {
  const alerts = agentAlerts(ofAgents);
  /** A change by the owner that moves nothing. */
  const write = async (d: Owned, set: ReturnType<Sql>) => {
    const [row] = await sql`
      update deployments d
      set ${set}
      where ${ownedBy(sql, d)}
        and not cancel_requested
      returning id`;
    if (!row) throw new LeaseLost();
  };
  const ours = sql`(node is null or node = ${node})`;

  return {
    ...leases(sql, owner, node, machine),

    building: (d: Claimed) =>
      sql.begin(async (tx) => {
        await moveOwn(tx, d, { to: 'building', why: 'started_building', set: tx`building_at = coalesce(building_at, now())` });
        // Until something serves here, a visitor is told that it is on its way.
        await sayComing(tx, d);
      }),

    planned: (d: Claimed, plan: unknown) => write(d, sql`plan = ${sql.json(plan as never)}`),

    rebuilt: (d: Claimed, artifact: Artifact) => write(d, sql`artifact = ${sql.json(artifact as never)}`),

    deploying: (d: Claimed, artifact: Artifact) =>
      moveOwn(sql, d, {
        to: 'deploying',
        why: 'built',
        set: sql`
          deploying_at = now(),
          artifact = ${sql.json(artifact as never)},
          plan = ${sql.json(artifact.plan as never)},
          agent_type = ${artifact.plan.type}`,
      }),

    /**
     * Noted before the process starts, so that a process without a note is nobody's and can be ended. `restart_at` stays until it is ready:
     * should this worker die, the restart is still due.
     */
    starting: (d: Claimed, instance_id: string) => write(d, sql`instance_id = ${instance_id}, instance_port = null, node = ${node}`),

    /**
     * Ready: the address moves here and the one before begins to drain, in one transaction. A web agent is kept for `keptSeconds`, should this
     * one fail at once. Ends as stopped instead when a newer deployment serves already. `target` is absent for an agent that never listens.
     */
    active: (
      d: Claimed,
      agent_type: 'web' | 'worker',
      target: { host: string; port: number; instance_port: number } | undefined,
      drainSeconds: number,
      keptSeconds = drainSeconds,
    ): Promise<'active' | 'superseded'> =>
      sql.begin(async (tx) => {
        await tx`
          select 1
          from projects
          where id = ${d.project_id}
          for update`; // two swaps of one project wait for each other
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
            ${outdated(tx)},
            replaced_by = ${d.id},
            drain_until = now() + (case when agent_type = 'web' then ${`${keptSeconds} seconds`} else ${`${drainSeconds} seconds`} end)::interval`,
        });
        for (const { id } of replaced) {
          // Of several that were replaced within a minute only the last is kept longer than its requests need.
          await tx`
            update deployments
            set drain_until = least(drain_until, ended_at + ${`${drainSeconds} seconds`}::interval)
            where replaced_by = ${id}
              and drain_until is not null`;
          await closeOwn(tx, id, d);
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
        await leadTo(tx, d, target, machine);
        await alerts.clearOlder(tx, d.id);
        return 'active' as const;
      }),

    /** A worker that began to listen later: its address works from now on. */
    listening: (d: { id: string; fence: number }, target: { host: string; port: number; instance_port: number }) =>
      sql.begin(async (tx) => {
        const [row] = await tx<Claimed[]>`
          select ${claimedColumns(tx, node)}
          from deployments d
          join projects p on p.id = d.project_id
          where d.id = ${d.id}
            and d.status = 'active'
            and d.node = ${node}
          for update of d`;
        if (!row) return;
        await tx`
          update deployments
          set agent_type = 'web', instance_port = ${target.instance_port}
          where id = ${d.id}`;
        await leadTo(tx, row, target, machine);
      }),

    ...endings(sql, { node, machine, alerts }),

    predecessorOf: (id: string) => predecessorOf(sql, node, id),

    /** After a cancel: not guarded by it, only by the fence. */
    cancelled: async (d: Owned) => {
      await sql.begin(async (tx) => {
        const [moved] = await move(tx, {
          to: 'stopped',
          why: 'cancelled',
          where: tx`${ownedBy(tx, d)} and d.cancel_requested`,
          set: tx`ended_at = now(), drain_until = now(), ${released(tx)}`,
        });
        if (moved) await sayStopped(tx, d.id);
      });
    },

    /** What should be running or is to be ended, with how often each crashed within the last ten minutes. */
    live: () => sql<Live[]>`
      select
        d.id, d.team_id, d.status, d.agent_type, d.instance_id, d.instance_port, d.restart_at,
        coalesce(d.drain_until <= now(), false) as drain_over,
        d.lease_until > now() as owned,
        (
          select count(*)
          from unnest(d.restart_times) t
          where t > now() - interval '10 minutes'
        )::int as restarts,
        d.deployed_at, now() as asked_at
      from deployments d
      where (d.status in ('active', 'building', 'deploying') or d.drain_until is not null)
        and (d.node is null or d.node = ${node})`,

    /** The process went with the machine or was ended with the server: not the agent's doing, so it counts as no crash. */
    lost: (id: string) =>
      sql.begin(async (tx) => {
        const [row] = await tx`
          update deployments
          set restart_at = now()
          where id = ${id}
            and status = 'active'
            and restart_at is null
            and ${ours}
          returning id`;
        if (!row) return;
        await noteRestart(tx, [id], 'lost');
        await leadNowhere(tx, [id], 'starting');
        await tx`select pg_notify('work', ${id})`;
      }),

    /** Everything of projects that are being deleted is to end; whoever works on it loses its lease. */
    endDeleted: () =>
      sql.begin(async (tx) => {
        await move(tx, {
          to: 'stopped',
          why: 'project_deleted',
          where: tx`
            d.status in ('queued', 'building', 'deploying', 'active')
            and exists (
              select 1
              from projects p
              where p.id = d.project_id
                and p.deleting_at is not null
            )`,
          set: tx`
            is_current = false,
            ended_at = coalesce(ended_at, now()),
            drain_until = now(),
            restart_at = null,
            ${outdated(tx)}`,
        });
        // What only drains, or is kept for the first minute of the next, is not waited for.
        await tx`
          update deployments d
          set drain_until = now()
          from projects p
          where p.id = d.project_id
            and p.deleting_at is not null
            and d.drain_until > now()`;
      }),
    /** What remains of a project that is being deleted: how many instances still run, and the code to remove. */
    remains: async (project_id: string) => {
      const rows = await sql<{ id: string; source_blob: string; ending: boolean }[]>`
        select id, source_blob, drain_until is not null or status in ('queued', 'building', 'deploying', 'active') as ending
        from deployments
        where project_id = ${project_id}`;
      return { ending: rows.filter((row) => row.ending).length, ids: rows.map((row) => row.id), blobs: rows.map((row) => row.source_blob) };
    },

    /** The process is gone and its output stored. */
    ended: (id: string) => sql`
      update deployments
      set drain_until = null, instance_id = null
      where id = ${id}
        and drain_until is not null`,

    ...inUse(sql),
  };
};
