import type { Artifact } from '@paddock/builder';
import type { Deployment, Environment } from '@paddock/contract';
import type { Sql, Tx } from '../../db/connect.ts';
import { deploymentLabel, environmentLabel } from '../../labels/host-labels.ts';
import { databasesElsewhere } from './places.ts';

export type Transitions = ReturnType<typeof transitions>;

/** A deployment that this worker owns until its lease ends. Whoever has a higher fence has taken it over. */
export interface Claimed {
  id: string;
  team_id: string;
  project_id: string;
  subdomain: string;
  environment: Environment;
  status: Deployment['status'];
  database_mode: Deployment['database_mode'];
  databases_sealed: Buffer | null;
  databases_key_id: string | null;
  source_blob: string;
  source_name: string;
  settings: { root?: string; start?: string };
  agent_type: Deployment['agent_type'];
  artifact: Artifact | null;
  fence: number;
  attempts: number;
  instance_id: string | null;
  /** Another node's host, when that one ran it last: what it noted of its instance is of no use here. */
  last_host: string | null;
}

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
}

/** Builds kept per project and environment besides what runs: each may take hundreds of megabytes. */
const artifactsKept = 10;
const leaseSeconds = 30;
const lease = `${leaseSeconds} seconds`;
export const leaseRenewMs = (leaseSeconds * 1000) / 3;

/** Thrown when another worker has taken over, the person cancelled, or the project is gone: whatever was going on is to be dropped. */
export class LeaseLost extends Error {}

/** The worker's side of deployments. Each change asks for the fence, so a worker that slept too long changes nothing. */
export const transitions = (sql: Sql, owner: string, node: string, machine = '') => {
  const guarded = async (tx: Tx, { id, fence }: Pick<Claimed, 'id' | 'fence'>, set: ReturnType<Sql>) => {
    const [row] = await tx`update deployments set ${set} where id = ${id} and fence = ${fence} and not cancel_requested returning id`;
    if (!row) throw new LeaseLost();
  };
  const columns = sql`d.id, d.team_id, d.project_id, p.subdomain, d.environment, d.status, d.database_mode, d.databases_sealed, d.databases_key_id,
    d.source_blob, d.source_name, d.settings, d.agent_type, d.artifact, d.fence, d.attempts, d.instance_id,
    case when d.node <> ${node} then coalesce((select n.host from nodes n where n.label = d.node), 'another machine') end as last_host`;
  const ours = sql`(node is null or node = ${node})`;
  const free = sql`(d.lease_until is null or d.lease_until < now())`;

  return {
    /**
     * The oldest deployment that waits for work: due for a restart after a crash, or else ('all') new or left behind by a dead worker.
     * Restarts never wait for builds. What this worker has under way (`held`) is not taken anew, even if its lease ended while the
     * database was away.
     */
    async claim(what: 'all' | 'restarts', held: string[] = []): Promise<Claimed | undefined> {
      const [row] = await sql<Claimed[]>`
        update deployments d set lease_owner = ${owner}, lease_until = now() + ${lease}::interval, fence = d.fence + 1,
          attempts = d.attempts + (d.status <> 'active')::int
        from projects p where p.id = d.project_id and d.id = (
          select d.id from deployments d join projects p on p.id = d.project_id
          where ((${what === 'all'} and d.status in ('queued', 'building', 'deploying')) or (d.status = 'active' and d.restart_at <= now() and d.node = ${node})) and ${free} and p.deleting_at is null and d.id <> all(${held}) and not ${databasesElsewhere(sql, node, machine)}
          order by d.status <> 'active', d.created_at limit 1 for update of d skip locked)
        returning ${columns}`;
      return row;
    },

    leaseOwners: async () =>
      (await sql<{ lease_owner: string }[]>`select distinct lease_owner from deployments where lease_owner is not null`).map(
        (row) => row.lease_owner,
      ),
    releaseLeases: (owners: string[]) =>
      sql`update deployments set lease_owner = null, lease_until = null where lease_owner = any(${owners})`,

    /** False once the deployment is no longer ours, or was cancelled. */
    async renew({ id, fence }: Pick<Claimed, 'id' | 'fence'>): Promise<boolean> {
      const [row] = await sql`
        update deployments d set lease_until = now() + ${lease}::interval from projects p
        where p.id = d.project_id and p.deleting_at is null and d.id = ${id} and d.fence = ${fence} and d.lease_owner = ${owner} and not d.cancel_requested returning d.id`;
      return row !== undefined;
    },

    /** A restart did not come up: the supervisor finds the exited process and plans the next one. */
    restartFailed: ({ id, fence }: Pick<Claimed, 'id' | 'fence'>) =>
      sql`update deployments set lease_owner = null, lease_until = null, restart_at = null where id = ${id} and fence = ${fence} and status = 'active'`,

    startRefused: ({ id, fence }: Pick<Claimed, 'id' | 'fence'>, delaySeconds: number) =>
      sql`update deployments set lease_owner = null, lease_until = null, restart_at = now() + ${`${delaySeconds} seconds`}::interval
        where id = ${id} and fence = ${fence} and status = 'active'`,

    /** Gives a deployment back untouched when this worker shuts down. */
    handBack: ({ id, fence }: Pick<Claimed, 'id' | 'fence'>) =>
      sql`update deployments set lease_owner = null, lease_until = null, attempts = greatest(0, attempts - 1) where id = ${id} and fence = ${fence}`,

    building: (d: Claimed) =>
      sql.begin(async (tx) => {
        await guarded(tx, d, tx`status = 'building', building_at = coalesce(building_at, now())`);
        // Until something serves here, a visitor is told that it is on its way.
        await tx`insert into routes (label, team_id, project_id, deployment_id, state, version)
          values (${environmentLabel(d.subdomain, d.environment)}, ${d.team_id}, ${d.project_id}, ${d.id}, 'starting', 0)
          on conflict (label) do update set state = 'starting', deployment_id = excluded.deployment_id where routes.target_host is null`;
      }),

    planned: (d: Claimed, plan: unknown) => guarded(sql, d, sql`plan = ${sql.json(plan as never)}`),

    rebuilt: (d: Claimed, artifact: Artifact) => guarded(sql, d, sql`artifact = ${sql.json(artifact as never)}`),

    deploying: (d: Claimed, artifact: Artifact) =>
      guarded(
        sql,
        d,
        sql`status = 'deploying', deploying_at = now(), artifact = ${sql.json(artifact as never)}, plan = ${sql.json(artifact.plan as never)}, agent_type = ${artifact.plan.type}`,
      ),

    /**
     * Noted before the process starts, so that a process without a note is nobody's and can be ended. `restart_at` stays until it is ready:
     * should this worker die, the restart is still due.
     */
    starting: (d: Claimed, instance_id: string) => guarded(sql, d, sql`instance_id = ${instance_id}, instance_port = null, node = ${node}`),

    /**
     * Ready: the address moves here and the one before begins to drain, in one transaction. Ends as stopped instead when a newer
     * deployment serves already. `target` is absent for an agent that never listens.
     */
    active: (
      d: Claimed,
      agent_type: 'web' | 'worker',
      target: { host: string; port: number; instance_port: number } | undefined,
      drainSeconds: number,
    ): Promise<'active' | 'superseded'> =>
      sql.begin(async (tx) => {
        await tx`select 1 from projects where id = ${d.project_id} for update`; // two swaps of one project wait for each other
        const [newer] = await tx`
          select 1 from deployments where project_id = ${d.project_id} and environment = ${d.environment} and is_current and id <> ${d.id}
          and created_at > (select created_at from deployments where id = ${d.id})`;
        if (newer) {
          await guarded(tx, d, tx`status = 'stopped', ended_at = now(), drain_until = now(), lease_owner = null, lease_until = null`);
          return 'superseded' as const;
        }
        const replaced = await tx<{ id: string }[]>`
          update deployments set is_current = false, status = 'stopped', ended_at = now(), restart_at = null, fence = fence + 1,
            drain_until = now() + ${`${drainSeconds} seconds`}::interval
          where project_id = ${d.project_id} and environment = ${d.environment} and is_current and id <> ${d.id} returning id`;
        for (const { id } of replaced)
          await tx`update routes set state = 'stopped', target_host = null, target_port = null where deployment_id = ${id} and label <> ${environmentLabel(d.subdomain, d.environment)}`;
        await guarded(
          tx,
          d,
          tx`status = 'active', is_current = true, agent_type = ${agent_type}, deployed_at = coalesce(deployed_at, now()),
          instance_port = ${target?.instance_port ?? null}, restart_at = null, attempts = 0, error_message = null, failed_stage = null, lease_owner = null, lease_until = null`,
        );
        // failpoint: swap-uncommitted
        await route(tx, d, target);
        return 'active' as const;
      }),

    /** A worker that began to listen later: its address works from now on. */
    listening: (d: { id: string; fence: number }, target: { host: string; port: number; instance_port: number }) =>
      sql.begin(async (tx) => {
        const [row] = await tx<
          Claimed[]
        >`select ${columns} from deployments d join projects p on p.id = d.project_id where d.id = ${d.id} and d.status = 'active' and d.node = ${node} for update of d`;
        if (!row) return;
        await tx`update deployments set agent_type = 'web', instance_port = ${target.instance_port} where id = ${d.id}`;
        await route(tx, row, target);
      }),

    completed: (d: Pick<Claimed, 'id' | 'fence'>) =>
      sql.begin(async (tx) => {
        await guarded(
          tx,
          d,
          tx`status = 'completed', agent_type = 'job', is_current = false, ended_at = now(), deployed_at = coalesce(deployed_at, now()), drain_until = now(), lease_owner = null, lease_until = null`,
        );
        await tx`update routes set state = 'stopped', target_host = null, target_port = null where deployment_id = ${d.id}`;
      }),

    /** Ends as failed with its reason. The address stays with the deployment before it, if one serves. */
    failed: (d: Pick<Claimed, 'id' | 'fence'>, stage: 'queued' | 'building' | 'deploying' | 'active', message: string) =>
      sql.begin(async (tx) => {
        await guarded(
          tx,
          d,
          tx`status = 'failed', failed_stage = ${stage}, error_message = ${message}, is_current = false, restart_at = null, ended_at = now(), drain_until = now(), lease_owner = null, lease_until = null`,
        );
        await tx`update routes set state = 'crashed', target_host = null, target_port = null where deployment_id = ${d.id}`;
      }),

    /** After a cancel: not guarded by it, only by the fence. */
    cancelled: async ({ id, fence }: Pick<Claimed, 'id' | 'fence'>) => {
      await sql.begin(async (tx) => {
        const [row] =
          await tx`update deployments set status = 'stopped', ended_at = now(), drain_until = now(), lease_owner = null, lease_until = null
          where id = ${id} and fence = ${fence} and cancel_requested returning id`;
        if (row) await tx`update routes set state = 'stopped' where deployment_id = ${id} and target_host is null`;
      });
    },

    /** What should be running or is to be ended, with how often each crashed within the last ten minutes. */
    live: () => sql<Live[]>`
      select d.id, d.team_id, d.status, d.agent_type, d.instance_id, d.instance_port, coalesce(d.drain_until <= now(), false) as drain_over, d.restart_at,
        d.lease_until > now() as owned, (select count(*) from unnest(d.restart_times) t where t > now() - interval '10 minutes')::int as restarts
      from deployments d
      where (d.status in ('active', 'building', 'deploying') or d.drain_until is not null) and (d.node is null or d.node = ${node})`,

    /** The process has exited: the address tells so until the restart, which is due after the delay. False if that was noted before. */
    async crashed(id: string, instance_id: string, delaySeconds: number): Promise<boolean> {
      return sql.begin(async (tx) => {
        const [row] = await tx`
          update deployments set restart_times = array(select t from unnest(restart_times) t where t > now() - interval '10 minutes') || now(),
            restart_at = now() + ${`${delaySeconds} seconds`}::interval
          where id = ${id} and status = 'active' and instance_id = ${instance_id} and restart_at is null and ${ours} returning id`;
        if (row) await tx`update routes set state = 'crashed', target_host = null, target_port = null where deployment_id = ${id}`;
        return row !== undefined;
      });
    },

    /** The process went with the machine or was ended with the server: not the agent's doing, so it counts as no crash. */
    lost: (id: string) =>
      sql.begin(async (tx) => {
        const [row] =
          await tx`update deployments set restart_at = now() where id = ${id} and status = 'active' and restart_at is null and ${ours} returning id`;
        if (!row) return;
        await tx`update routes set state = 'starting', target_host = null, target_port = null where deployment_id = ${id}`;
        await tx`select pg_notify('work', ${id})`;
      }),

    /** Takes an active deployment from whoever has it, to end it as failed or completed. */
    async seize(id: string): Promise<Pick<Claimed, 'id' | 'fence'> | undefined> {
      const [row] = await sql<
        { id: string; fence: number }[]
      >`update deployments set fence = fence + 1 where id = ${id} and status = 'active' and ${ours} returning id, fence`;
      return row;
    },

    /** Everything of projects that are being deleted is to end; whoever works on it loses its lease. */
    endDeleted: () => sql`
      update deployments d set status = 'stopped', is_current = false, ended_at = coalesce(ended_at, now()), drain_until = now(), restart_at = null, fence = fence + 1
      from projects p where p.id = d.project_id and p.deleting_at is not null and d.status in ('queued', 'building', 'deploying', 'active')`,
    /** What remains of a project that is being deleted: how many instances still run, and the code to remove. */
    remains: async (project_id: string) => {
      const rows = await sql<{ id: string; source_blob: string; ending: boolean }[]>`
        select id, source_blob, drain_until is not null or status in ('queued', 'building', 'deploying', 'active') as ending from deployments where project_id = ${project_id}`;
      return { ending: rows.filter((row) => row.ending).length, ids: rows.map((row) => row.id), blobs: rows.map((row) => row.source_blob) };
    },

    /** The process is gone and its output stored. */
    ended: (id: string) => sql`update deployments set drain_until = null, instance_id = null where id = ${id} and drain_until is not null`,

    /** What runs, and of each environment the latest of the last week, so that going back to one of them is quick. Older ones are built again. */
    artifactsInUse: () => sql<{ artifact: Artifact }[]>`
      select artifact from (
        select artifact, created_at, status in ('building', 'deploying', 'active') or drain_until is not null as runs,
          row_number() over (partition by project_id, environment order by created_at desc, id desc) as place
        from deployments where artifact is not null) d
      where runs or (place <= ${artifactsKept} and created_at > now() - interval '7 days')`,
    /** Those of these archives that a deployment names, other than those of the given project. */
    async blobsInUse(ids: string[], besides = ''): Promise<Set<string>> {
      const rows = await sql<{ source_blob: string }[]>`
        select source_blob from deployments where source_blob in ${sql(ids.length ? ids : [''])} and project_id <> ${besides}`;
      return new Set(rows.map((row) => row.source_blob));
    },
  };

  async function route(
    tx: Tx,
    d: Pick<Claimed, 'id' | 'team_id' | 'project_id' | 'subdomain' | 'environment'>,
    target: { host: string; port: number } | undefined,
  ) {
    for (const label of [environmentLabel(d.subdomain, d.environment), deploymentLabel(d.subdomain, d.id)]) {
      if (target)
        await tx`insert into routes (label, team_id, project_id, deployment_id, state, target_host, target_port, target_machine, version)
          values (${label}, ${d.team_id}, ${d.project_id}, ${d.id}, 'active', ${target.host}, ${target.port}, ${machine}, 0)
          on conflict (label) do update set deployment_id = excluded.deployment_id, state = 'active', target_host = excluded.target_host, target_port = excluded.target_port,
            target_machine = excluded.target_machine`;
      else await tx`delete from routes where label = ${label}`;
    }
  }
};
