import type { Artifact } from '@paddock/builder';
import type { Deployment, Environment } from '@paddock/contract';
import type { Sql, Tx } from '../../db/connect.ts';
import type { BuildSettings } from './build-settings.ts';
import { hasDatabasesElsewhere } from './database-placement.ts';

/** A deployment that this worker owns until its lease ends. A worker with a higher fence has taken it over. */
export interface Claimed {
  id: string;
  team_id: string;
  project_id: string;
  subdomain: string;
  environment: Environment;
  status: Deployment['status'];
  database_mode: Deployment['database_mode'];
  /** Addresses that an older release stored here, until the environment has them as databases. */
  databases_sealed: Buffer | null;
  databases_key_id: string | null;
  source_blob: string;
  source_name: string;
  settings: BuildSettings;
  agent_type: Deployment['agent_type'];
  artifact: Artifact | null;
  newest_failed: NewestFailed | null;
  fence: number;
  attempts: number;
  /** Attempts interrupted by a server that died or hung, including the current one. */
  cut_short: number;
  instance_id: string | null;
  /** Host of the last node, if it was another one: that node's instance is of no use here. */
  last_host: string | null;
}
/** Why the newest versions of the packages failed. */
export interface NewestFailed {
  /** The line with the error. */
  error: string;
  /** The newest date in the archive; the versions of that date are installed instead. */
  date?: string;
  /** Without a date, the constraint on the broken package: `mcp<2`. */
  below?: string;
  /** The message of the first start, with its last lines. */
  message: string;
}
export type OwnedDeployment = Pick<Claimed, 'id' | 'fence'>;

/** The actor that moves deployments: a process, its node, and the machine of the node. */
export interface Mover {
  owner: string;
  node: string;
  machine?: string;
}

/** Thrown when another worker has taken over, the user cancelled, or the project is gone: the work in progress must be dropped. */
export class LeaseLost extends Error {}

/** Fair order of teams for a claim. */
export interface ClaimOrder {
  /** Teams that must wait with their builds, and with their starts. */
  not_built: string[];
  not_started: string[];
  /** The team of each deployment in progress: teams with fewer come first. */
  busy: string[];
  /** Teams in the order of their last turns: of teams with equally many in progress, the one that waited longest comes first. */
  served: string[];
}

interface Choice {
  held?: string[];
  alone?: boolean;
  turn?: ClaimOrder;
}
const anyTurn: ClaimOrder = { not_built: [], not_started: [], busy: [], served: [] };

const leaseSeconds = 30;
const lease = `${leaseSeconds} seconds`;
export const leaseRenewMs = (leaseSeconds * 1000) / 3;

// The only file that writes the ownership of a deployment: `lease_owner`, `lease_until` and `fence`. Transitions that end or take over a
// lease use these fragments.

/** For the `set` of an update: releases the ownership. */
export const released = (tx: Sql | Tx) => tx`lease_owner = null, lease_until = null`;
/** For the `set` of an update: invalidates the owner's lease, which the owner notices at its next change. */
export const fenceRaised = (tx: Sql | Tx) => tx`fence = fence + 1`;
/** For the `where` of a change by the owner. */
export const ownedBy = (tx: Sql | Tx, { id, fence }: OwnedDeployment) => tx`d.id = ${id} and d.fence = ${fence}`;

export const claimedColumns = (sql: Sql | Tx, node: string) => sql`
  d.id, d.team_id, d.project_id, p.subdomain, d.environment, d.status, d.database_mode,
  case when d.databases_carried_at is null then d.databases_sealed end as databases_sealed,
  d.databases_key_id, d.source_blob, d.source_name, d.settings, d.agent_type, d.artifact, d.newest_failed, d.fence, d.attempts, d.cut_short,
  d.instance_id,
  case
    when d.node <> ${node} then coalesce(
      (
        select n.host
        from nodes n
        where n.label = d.node
      ),
      'another machine'
    )
  end as last_host`;

/** Claims, renews and releases deployments. */
export const leases = (sql: Sql, mover: Mover) => {
  const { owner, node } = mover;
  const isOurs = sql`(node is null or node = ${node})`;
  return {
    claim: claiming(sql, mover),

    async leaseOwners(): Promise<string[]> {
      const rows = await sql<{ lease_owner: string }[]>`
        select distinct lease_owner
        from deployments
        where lease_owner is not null`;
      return rows.map((row) => row.lease_owner);
    },

    releaseLeases: (owners: string[]) => sql`
      update deployments
      set ${released(sql)}
      where lease_owner = any(${owners})`,

    /** False if the deployment is no longer ours, or was cancelled. */
    async renew({ id, fence }: OwnedDeployment): Promise<boolean> {
      const [row] = await sql`
        update deployments d
        set lease_until = now() + ${lease}::interval
        from projects p
        where p.id = d.project_id
          and p.deleting_at is null
          and d.id = ${id}
          and d.fence = ${fence}
          and d.lease_owner = ${owner}
          and not d.cancel_requested
        returning d.id`;
      return row !== undefined;
    },

    /** A restart failed: the supervisor finds the exited process and plans the next restart. */
    restartFailed: ({ id, fence }: OwnedDeployment) => sql`
      update deployments
      set ${released(sql)}, restart_at = null
      where id = ${id}
        and fence = ${fence}
        and status = 'active'`,

    startRefused: ({ id, fence }: OwnedDeployment, delaySeconds: number) => sql`
      update deployments
      set ${released(sql)}, restart_at = now() + ${`${delaySeconds} seconds`}::interval
      where id = ${id}
        and fence = ${fence}
        and status = 'active'`,

    /** Releases a deployment unchanged when this worker shuts down. */
    handBack: ({ id, fence }: OwnedDeployment) => sql`
      update deployments
      set
        ${released(sql)},
        attempts = greatest(0, attempts - 1),
        cut_short = greatest(0, cut_short - 1)
      where id = ${id}
        and fence = ${fence}`,

    /** The attempt ended with an error that this server survived: it counts as an attempt, but not as interrupted. */
    brokeOff: ({ id, fence }: OwnedDeployment) => sql`
      update deployments
      set cut_short = greatest(0, cut_short - 1)
      where id = ${id}
        and fence = ${fence}
        and status <> 'active'`,

    /** Takes an active deployment from its owner, to end it as failed or completed. */
    async seize(id: string): Promise<OwnedDeployment | undefined> {
      const [row] = await sql<OwnedDeployment[]>`
        update deployments
        set ${fenceRaised(sql)}
        where id = ${id}
          and status = 'active'
          and ${isOurs}
        returning id, fence`;
      return row;
    },
  };
};

/** Releases the leases of a dead node's process. Should it wake up, the fence rejects its changes. */
export const releaseProcessLeases = (tx: Tx, owner: string) => tx`
  update deployments
  set ${released(tx)}
  where lease_owner = ${owner}`;

/**
 * Claims the next deployment: one due for a restart after a crash, or else ('all') a new one or one left by a dead worker. Restarts never
 * wait for builds. 'plans' claims deployments that wait for their build and can already be planned, unless a server died with them.
 * Deployments in progress here (`held`) are not claimed again, even if a lease expired while the database was away. A deployment
 * interrupted before may have ended its server: a worker attempts such deployments one at a time (`alone`), so that no other one is
 * interrupted with them twice. Teams take turns.
 */
function claiming(sql: Sql, { owner, node, machine = '' }: Mover) {
  const isFree = sql`(d.lease_until is null or d.lease_until < now())`;

  return async function claim(
    what: 'all' | 'restarts' | 'plans',
    { held = [], alone = false, turn = anyTurn }: Choice = {},
  ): Promise<Claimed | undefined> {
    const [row] = await sql<Claimed[]>`
      update deployments d
      set
        lease_owner = ${owner},
        lease_until = now() + ${lease}::interval,
        fence = d.fence + 1,
        attempts = d.attempts + (d.status <> 'active')::int,
        cut_short = d.cut_short + (d.status <> 'active')::int
      from projects p
      where p.id = d.project_id
        and d.id = (
          select d.id
          from deployments d
          join projects p on p.id = d.project_id
          where (
            (${what === 'all'} and d.status in ('queued', 'building', 'deploying') and d.team_id <> all(${turn.not_built}))
            or (
              ${what === 'plans'}
              and d.status = 'queued'
              and d.plan is null
              and d.cut_short = 0
              and d.team_id <> all(${turn.not_built})
            )
            or (${what !== 'plans'} and d.status = 'active' and d.restart_at <= now() and d.node = ${node} and d.team_id <> all(${turn.not_started}))
          )
            and ${isFree}
            and p.deleting_at is null
            and d.id <> all(${held})
            and not ${hasDatabasesElsewhere(sql, node, machine)}
            and (d.status = 'active' or d.cut_short = 0 or not ${alone})
          order by
            d.status <> 'active',
            cardinality(array_positions(${turn.busy}::text[], d.team_id)),
            array_position(${turn.served}::text[], d.team_id) nulls first,
            d.created_at
          limit 1
          for update of d skip locked
        )
      returning ${claimedColumns(sql, node)}`;
    return row;
  };
}
