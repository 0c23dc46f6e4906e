import type { Deployment } from '@paddock/contract';
import type { Sql } from '../../db/connect.ts';
import type { InstanceTarget } from './activation.ts';
import { routeTo, unroute } from './addresses.ts';
import { type Claimed, claimedColumns } from './leases.ts';
import { recordRestart } from './states.ts';

/** A deployment that should be running, or is draining, as read by the supervisor. */
export interface SupervisedDeployment {
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
  /** When it first became active, and when this row was read. */
  deployed_at: string | null;
  asked_at: string;
}

export type StartedFrom = Pick<Claimed, 'team_id' | 'project_id' | 'environment' | 'database_mode' | 'artifact'>;

/** The supervisor's queries about this node's deployments. */
export const supervised = (sql: Sql, { node, machine }: { node: string; machine: string }) => {
  const ours = sql`(node is null or node = ${node})`;
  return {
    /** Deployments to run or to end, each with its crashes within the last ten minutes. */
    live: () => sql<SupervisedDeployment[]>`
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

    /** The settings and the artifact that an agent was started from. */
    startedFrom: async (id: string): Promise<StartedFrom | undefined> => {
      const [row] = await sql<StartedFrom[]>`
        select team_id, project_id, environment, database_mode, artifact
        from deployments
        where id = ${id}`;
      return row;
    },

    /** The process was lost with the machine or stopped with the server: not the agent's fault, so no crash is counted. */
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
        await recordRestart(tx, [id], 'lost');
        await unroute(tx, [id], 'starting');
        await tx`select pg_notify('work', ${id})`;
      }),

    /** The process is gone and its output is stored. */
    ended: (id: string) => sql`
      update deployments
      set drain_until = null, instance_id = null
      where id = ${id}
        and drain_until is not null`,

    /** A worker that started to listen later: its address works from now on. */
    listening: (id: string, target: InstanceTarget) =>
      sql.begin(async (tx) => {
        const [row] = await tx<Claimed[]>`
          select ${claimedColumns(tx, node)}
          from deployments d
          join projects p on p.id = d.project_id
          where d.id = ${id}
            and d.status = 'active'
            and d.node = ${node}
          for update of d`;
        if (!row) return;
        await tx`
          update deployments
          set agent_type = 'web', instance_port = ${target.instance_port}
          where id = ${id}`;
        await routeTo(tx, row, { target, machine });
      }),
  };
};
