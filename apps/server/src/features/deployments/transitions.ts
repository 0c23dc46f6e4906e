import type { Artifact } from '@paddock/builder';
import type { Deployment, Environment } from '@paddock/contract';
import type { Sql, Tx } from '../../db/connect.ts';
import { closeOwn, leadNowhere, leadTo, sayComing, sayStopped } from './addresses.ts';
import { type AlertsOfAgents, agentAlerts, noAlerts } from './agent-alerts.ts';
import { endings } from './endings.ts';
import { inUse } from './in-use.ts';
import { databasesElsewhere } from './places.ts';
import type { Turn } from './seats.ts';
import { predecessorOf } from './trial.ts';

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
  /** Addresses that an older release kept here, until the environment has them as databases. */
  databases_sealed: Buffer | null;
  databases_key_id: string | null;
  source_blob: string;
  source_name: string;
  settings: { root?: string; start?: string };
  agent_type: Deployment['agent_type'];
  artifact: Artifact | null;
  fence: number;
  attempts: number;
  /** Tries that a dead or hung server left behind, this one included. */
  cut_short: number;
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
  /** When it became active first, and when this was read. */
  deployed_at: string | null;
  asked_at: string;
}

interface Choice {
  held?: string[];
  alone?: boolean;
  turn?: Turn;
}
const anyTurn: Turn = { not_built: [], not_started: [], busy: [], served: [] };

const leaseSeconds = 30;
const lease = `${leaseSeconds} seconds`;
export const leaseRenewMs = (leaseSeconds * 1000) / 3;

/** Thrown when another worker has taken over, the person cancelled, or the project is gone: whatever was going on is to be dropped. */
export class LeaseLost extends Error {}

/** The worker's side of deployments. Each change asks for the fence, so a worker that slept too long changes nothing. */
export const transitions = (sql: Sql, owner: string, node: string, machine = '', ofAgents: AlertsOfAgents = noAlerts) => {
  const alerts = agentAlerts(ofAgents);
  const guarded = async (tx: Tx, { id, fence }: Pick<Claimed, 'id' | 'fence'>, set: ReturnType<Sql>) => {
    const [row] = await tx`update deployments set ${set} where id = ${id} and fence = ${fence} and not cancel_requested returning id`;
    if (!row) throw new LeaseLost();
  };
  const columns = sql`d.id, d.team_id, d.project_id, p.subdomain, d.environment, d.status, d.database_mode,
    case when d.databases_carried_at is null then d.databases_sealed end as databases_sealed, d.databases_key_id,
    d.source_blob, d.source_name, d.settings, d.agent_type, d.artifact, d.fence, d.attempts, d.cut_short, d.instance_id,
    case when d.node <> ${node} then coalesce((select n.host from nodes n where n.label = d.node), 'another machine') end as last_host`;
  const ours = sql`(node is null or node = ${node})`;
  const free = sql`(d.lease_until is null or d.lease_until < now())`;

  return {
    /**
     * The oldest deployment that waits for work: due for a restart after a crash, or else ('all') new or left behind by a dead worker.
     * Restarts never wait for builds. What this worker has under way (`held`) is not taken anew, even if its lease ended while the
     * database was away. What was cut short before may be what ended its server: a worker tries such deployments one at a time
     * (`alone`), so that no other is cut short with them twice. Teams come by turns.
     */
    async claim(what: 'all' | 'restarts', { held = [], alone = false, turn = anyTurn }: Choice = {}): Promise<Claimed | undefined> {
      const [row] = await sql<Claimed[]>`
        update deployments d set lease_owner = ${owner}, lease_until = now() + ${lease}::interval, fence = d.fence + 1,
          attempts = d.attempts + (d.status <> 'active')::int,
          cut_short = d.cut_short + (d.status <> 'active')::int
        from projects p where p.id = d.project_id and d.id = (
          select d.id from deployments d join projects p on p.id = d.project_id
          where (
              (${what === 'all'} and d.status in ('queued', 'building', 'deploying') and d.team_id <> all(${turn.not_built}))
              or (d.status = 'active' and d.restart_at <= now() and d.node = ${node} and d.team_id <> all(${turn.not_started}))
            )
            and ${free}
            and p.deleting_at is null
            and d.id <> all(${held})
            and not ${databasesElsewhere(sql, node, machine)}
            and (d.status = 'active' or d.cut_short = 0 or not ${alone})
          order by
            d.status <> 'active',
            cardinality(array_positions(${turn.busy}::text[], d.team_id)),
            array_position(${turn.served}::text[], d.team_id) nulls first,
            d.created_at
          limit 1
          for update of d skip locked
        )
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
      sql`update deployments set lease_owner = null, lease_until = null, attempts = greatest(0, attempts - 1), cut_short = greatest(0, cut_short - 1)
        where id = ${id} and fence = ${fence}`,

    /** The try ended by a fault that this server survived: it counts as one, and not as cut short. */
    brokeOff: ({ id, fence }: Pick<Claimed, 'id' | 'fence'>) =>
      sql`update deployments set cut_short = greatest(0, cut_short - 1) where id = ${id} and fence = ${fence} and status <> 'active'`,

    building: (d: Claimed) =>
      sql.begin(async (tx) => {
        await guarded(tx, d, tx`status = 'building', building_at = coalesce(building_at, now())`);
        // Until something serves here, a visitor is told that it is on its way.
        await sayComing(tx, d);
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
        await tx`select 1 from projects where id = ${d.project_id} for update`; // two swaps of one project wait for each other
        const [newer] = await tx`
          select 1 from deployments where project_id = ${d.project_id} and environment = ${d.environment} and is_current and id <> ${d.id}
          and created_at > (select created_at from deployments where id = ${d.id})`;
        if (newer) {
          await guarded(tx, d, tx`status = 'stopped', ended_at = now(), drain_until = now(), lease_owner = null, lease_until = null`);
          return 'superseded' as const;
        }
        const replaced = await tx<{ id: string }[]>`
          update deployments set is_current = false, status = 'stopped', ended_at = now(), restart_at = null, fence = fence + 1, replaced_by = ${d.id},
            drain_until = now() + (case when agent_type = 'web' then ${`${keptSeconds} seconds`} else ${`${drainSeconds} seconds`} end)::interval
          where project_id = ${d.project_id} and environment = ${d.environment} and is_current and id <> ${d.id} returning id`;
        for (const { id } of replaced) {
          // Of several that were replaced within a minute only the last is kept longer than its requests need.
          await tx`update deployments set drain_until = least(drain_until, ended_at + ${`${drainSeconds} seconds`}::interval)
            where replaced_by = ${id} and drain_until is not null`;
          await closeOwn(tx, id, d);
        }
        await guarded(
          tx,
          d,
          tx`status = 'active', is_current = true, agent_type = ${agent_type}, deployed_at = coalesce(deployed_at, now()),
          instance_port = ${target?.instance_port ?? null}, restart_at = null, attempts = 0, cut_short = 0, error_message = null, failed_stage = null, lease_owner = null, lease_until = null`,
        );
        // failpoint: swap-uncommitted
        await leadTo(tx, d, target, machine);
        await alerts.clearOlder(tx, d.id);
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
        await leadTo(tx, row, target, machine);
      }),

    ...endings(sql, { guarded, node, machine, alerts }),

    predecessorOf: (id: string) => predecessorOf(sql, node, id),

    /** After a cancel: not guarded by it, only by the fence. */
    cancelled: async ({ id, fence }: Pick<Claimed, 'id' | 'fence'>) => {
      await sql.begin(async (tx) => {
        const [row] =
          await tx`update deployments set status = 'stopped', ended_at = now(), drain_until = now(), lease_owner = null, lease_until = null
          where id = ${id} and fence = ${fence} and cancel_requested returning id`;
        if (row) await sayStopped(tx, id);
      });
    },

    /** What should be running or is to be ended, with how often each crashed within the last ten minutes. */
    live: () => sql<Live[]>`
      select d.id, d.team_id, d.status, d.agent_type, d.instance_id, d.instance_port, coalesce(d.drain_until <= now(), false) as drain_over, d.restart_at,
        d.lease_until > now() as owned, (select count(*) from unnest(d.restart_times) t where t > now() - interval '10 minutes')::int as restarts,
        d.deployed_at, now() as asked_at
      from deployments d
      where (d.status in ('active', 'building', 'deploying') or d.drain_until is not null) and (d.node is null or d.node = ${node})`,

    /** The process went with the machine or was ended with the server: not the agent's doing, so it counts as no crash. */
    lost: (id: string) =>
      sql.begin(async (tx) => {
        const [row] =
          await tx`update deployments set restart_at = now() where id = ${id} and status = 'active' and restart_at is null and ${ours} returning id`;
        if (!row) return;
        await leadNowhere(tx, [id], 'starting');
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
    endDeleted: () =>
      sql.begin(async (tx) => {
        await tx`
          update deployments d set status = 'stopped', is_current = false, ended_at = coalesce(ended_at, now()), drain_until = now(), restart_at = null, fence = fence + 1
          from projects p where p.id = d.project_id and p.deleting_at is not null and d.status in ('queued', 'building', 'deploying', 'active')`;
        // What only drains, or is kept for the first minute of the next, is not waited for.
        await tx`update deployments d set drain_until = now() from projects p where p.id = d.project_id and p.deleting_at is not null and d.drain_until > now()`;
      }),
    /** What remains of a project that is being deleted: how many instances still run, and the code to remove. */
    remains: async (project_id: string) => {
      const rows = await sql<{ id: string; source_blob: string; ending: boolean }[]>`
        select id, source_blob, drain_until is not null or status in ('queued', 'building', 'deploying', 'active') as ending from deployments where project_id = ${project_id}`;
      return { ending: rows.filter((row) => row.ending).length, ids: rows.map((row) => row.id), blobs: rows.map((row) => row.source_blob) };
    },

    /** The process is gone and its output stored. */
    ended: (id: string) => sql`update deployments set drain_until = null, instance_id = null where id = ${id} and drain_until is not null`,

    ...inUse(sql),
  };
};
