import type { Sql, Tx } from '../../../db/connect.ts';
import { unroute, unrouteActive } from '../addresses.ts';
import { type AlertsOfAgents, agentAlerts, noAlerts } from '../agent-alerts.ts';
import { hasDatabasesElsewhere } from '../database-placement.ts';
import { fenceRaised, released, releaseProcessLeases } from '../leases.ts';
import { move, recordRestart } from '../states.ts';

/** Deployments moved per call, so that several living nodes share the work. */
const atOnce = 8;

interface Deps {
  /** This node and its machine. */
  node: string;
  machine: string;
  alerts?: AlertsOfAgents;
}
type ThisNode = Pick<Deps, 'node' | 'machine'>;
interface Dead {
  label: string;
  host: string;
  machine: string;
  /** A node silent for this long counts as dead. */
  timeout_s: number;
}

export type DeploymentLocation = 'moving' | 'elsewhere' | 'here' | 'over';

/** Deployments affected by a dead node. */
export interface FailoverResult {
  /** Deployments to start here. */
  moved: { id: string; team_id: string }[];
  /** Jobs that may have done their work: not run a second time. */
  jobs: { id: string; team_id: string }[];
  /** Deployments that cannot move: their databases are on the dead node. */
  waiting: { id: string; team_id: string }[];
}

/** Log line of a deployment whose databases are on a missing node. */
export const waitsForDatabases = (host: string) =>
  `The server on ${host} does not answer any more. The databases of this environment are there, so the agent waits for it and starts when it is back. To go on without their data, delete them under Databases and redeploy.`;

/** Error of such a job; `run.ts` uses the same for a job that had not started yet. */
export const jobNotRepeated = (host: string) =>
  `The server on ${host} stopped while this job ran. It is not run a second time by itself, since it may have done its work. Redeploy it to run it again.`;

/**
 * Moves a dead node's deployments to this one, a few per call, in one transaction that checks that the node is still silent. Instances that
 * may still run there are not touched: the node ends them when it returns, because its rows then name another node.
 */
export const createFailover = (sql: Sql, { node, machine, alerts = noAlerts }: Deps) => ({
  from: (dead: Dead): Promise<FailoverResult> =>
    sql.begin(async (tx) => {
      const [still] = await tx<{ owner: string | null }[]>`
        select owner
        from nodes
        where label = ${dead.label}
          and seen_at < now() - ${`${dead.timeout_s} seconds`}::interval
        for update`;
      if (!still) return { moved: [], jobs: [], waiting: [] };
      if (still.owner) await releaseProcessLeases(tx, still.owner);
      const jobs = await failJobs(tx, dead, alerts);
      const moved = await claimForThisNode(tx, dead, { node, machine });
      const waiting = await markWaitingForNode(tx, dead, { node, machine });
      const ids = moved.map((one) => one.id);
      await recordRestart(tx, ids, 'node_died');
      // On the same machine the old agent may still respond until the new one does.
      if (dead.machine !== machine) await unrouteActive(tx, ids);
      await unroute(
        tx,
        jobs.map((one) => one.id),
        'stopped',
      );
      await tx`
        update deployments
        set drain_until = null, instance_id = null
        where node = ${dead.label}
          and drain_until <= now()
          and status in ('completed', 'failed', 'stopped')`;
      for (const id of ids) await tx`select pg_notify('work', ${id})`;
      return { moved, jobs, waiting };
    }),

  /** New deployments that only that node can run, because it has their databases. */
  queuedFor: (label: string) => sql<{ id: string; team_id: string }[]>`
    select d.id, d.team_id
    from deployments d
    where d.status in ('queued', 'building', 'deploying')
      and ${hasDatabasesElsewhere(sql, node, machine)}
      and exists (
        select 1
        from databases b
        where b.project_id = d.project_id
          and b.environment = d.environment
          and b.node = ${label}
          and b.is_attached
      )
    limit 100`,

  /** Location of a deployment whose row does not name an instance of this node: about to restart, served by another instance, or over. */
  async whereabouts(id: string): Promise<DeploymentLocation> {
    const [row] = await sql<{ moving: boolean; elsewhere: boolean }[]>`
      select restart_at is not null as moving, coalesce(node <> ${node}, false) as elsewhere
      from deployments
      where id = ${id}
        and status = 'active'`;
    if (row?.moving) return 'moving';
    if (row === undefined) return 'over';
    return row.elsewhere ? 'elsewhere' : 'here';
  },
});

/** Jobs may have done their work: they are not run again. */
async function failJobs(tx: Tx, dead: Dead, alerts: AlertsOfAgents) {
  const jobs = await move(tx, {
    to: 'failed',
    why: 'node_died',
    where: tx`d.node = ${dead.label} and d.status = 'active' and d.artifact->'plan'->>'type' = 'job'`,
    set: tx`
      failed_stage = 'active',
      error_message = ${jobNotRepeated(dead.host)},
      is_current = false,
      restart_at = null,
      ended_at = now(),
      drain_until = null,
      instance_id = null,
      ${fenceRaised(tx)},
      ${released(tx)}`,
  });
  for (const { id } of jobs) await agentAlerts(alerts).failed(tx, id, { stage: 'deploying', message: jobNotRepeated(dead.host) });
  return jobs;
}

/** Claims the next deployments that can run here. */
const claimForThisNode = (tx: Tx, dead: Dead, { node, machine }: ThisNode) => tx<{ id: string; team_id: string }[]>`
  update deployments
  set
    node = ${node},
    instance_id = null,
    instance_port = null,
    restart_at = now(),
    ${fenceRaised(tx)},
    ${released(tx)}
  where id in (
    select id
    from deployments d
    where node = ${dead.label}
      and status = 'active'
      and not ${hasDatabasesElsewhere(tx, node, machine)}
    order by is_current desc, created_at
    limit ${atOnce}
    for update skip locked
  )
  returning id, team_id`;

/**
 * Marks deployments whose data exists only on the dead node. When that node returns it finds the restart due and adopts what still runs.
 */
async function markWaitingForNode(tx: Tx, dead: Dead, { node, machine }: ThisNode) {
  const waiting = await tx<{ id: string; team_id: string }[]>`
    update deployments d
    set restart_at = now()
    where node = ${dead.label}
      and status = 'active'
      and restart_at is null
      and ${hasDatabasesElsewhere(tx, node, machine)}
    returning id, team_id`;
  await unroute(
    tx,
    waiting.map((one) => one.id),
    'starting',
  );
  return waiting;
}
