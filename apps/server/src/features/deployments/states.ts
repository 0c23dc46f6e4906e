import type { Deployment, DeploymentStatus, Environment, Origin } from '@paddock/contract';
import { recordAction } from '../../audit/record-action.ts';
import type { Sql, Tx } from '../../db/connect.ts';
import { removeInBatches } from '../../jobs/remove-in-batches.ts';
import type { Sealed } from '../../secrets/seal.ts';
import type { BuildSettings } from './build-settings.ts';
import { LeaseLost, type OwnedDeployment, ownedBy } from './leases.ts';

// The only file that writes a deployment's status. Each move is recorded in `moves` in the same transaction; running time and history are
// read from there.

type Fragment = ReturnType<Sql>;

export type MoveReason =
  | 'created'
  | 'started_building'
  | 'built'
  | 'ready'
  | 'crashed'
  | 'out_of_memory'
  | 'lost'
  | 'completed'
  | 'failed'
  | 'node_died'
  | 'stopped'
  | 'cancelled'
  | 'replaced'
  | 'superseded'
  | 'came_back'
  | 'project_deleted';

export interface Move {
  to: DeploymentStatus;
  why: MoveReason;
  /** The user's id; undefined if the platform moves the deployment. */
  who?: string;
  /** Condition on `deployments d`: which ones move. */
  where: Fragment;
  /** Other columns to set. */
  set: Fragment;
}

export interface Moved {
  id: string;
  team_id: string;
  project_id: string;
  environment: Environment;
  subdomain: string;
  from_status: DeploymentStatus;
  restart_at: string | null;
}

/** Moves these deployments and returns them. A change repeated after a lost response is recorded once. */
export const move = (tx: Sql | Tx, { to, why, who, where, set }: Move) => tx<Moved[]>`
  with before as (
    select d.id as before_id, d.status as from_status
    from deployments d
    where ${where}
    for update of d
  ),
  moved as (
    update deployments d
    set
      status = ${to},
      ${set}
    from before
    where d.id = before_id
    returning d.id, d.team_id, d.project_id, d.environment, d.fence, d.restart_at, from_status
  ),
  noted as (
    insert into moves (team_id, project_id, environment, deployment_id, fence, from_status, to_status, why, who)
    select team_id, project_id, environment, id, fence, from_status, ${to}, ${why}, ${who ?? null}
    from moved
    on conflict (deployment_id, fence, why) do nothing
  )
  select moved.*, p.subdomain
  from moved
  join projects p on p.id = moved.project_id`;

/** A move by the owner. Throws LeaseLost if it no longer owns the deployment, or the deployment was cancelled. */
export async function moveOwn(tx: Sql | Tx, d: OwnedDeployment, change: Omit<Move, 'where' | 'who'>): Promise<void> {
  const [moved] = await move(tx, { ...change, where: tx`${ownedBy(tx, d)} and not d.cancel_requested` });
  if (!moved) throw new LeaseLost();
}

/** Records the end of an active deployment's process. The status does not change: the deployment stays active and is restarted. */
export const recordRestart = (tx: Tx, ids: string[], why: 'crashed' | 'out_of_memory' | 'lost' | 'node_died') => tx`
  insert into moves (team_id, project_id, environment, deployment_id, fence, from_status, to_status, why)
  select d.team_id, d.project_id, d.environment, d.id, d.fence, d.status, d.status, ${why}
  from deployments d
  where d.id = any(${ids})
  on conflict (deployment_id, fence, why) do nothing`;

/** A new deployment. */
export interface NewDeployment {
  id: string;
  project_id: string;
  environment: Environment;
  database_mode: Deployment['database_mode'];
  /** Addresses of an older deployment that stored them itself. */
  databases: Sealed | undefined;
  trigger: Deployment['trigger'];
  source_deployment_id: string | null;
  source: { blob: string; name: string; bytes: number; sha256: string };
  origin: Origin;
  settings: BuildSettings;
  created_by: string;
}

/** The first move. Returns false when repeated, because the row exists. */
export async function queue(tx: Tx, team_id: string, d: NewDeployment): Promise<boolean> {
  const [made] = await tx`
    insert into deployments (
      id, team_id, project_id, environment, status, database_mode, databases_sealed, databases_key_id, trigger,
      source_deployment_id, source_blob, source_name, source_bytes, source_sha256, message, commit_sha, commit_branch, commit_dirty,
      settings, created_by, created_at
    )
    values (
      ${d.id}, ${team_id}, ${d.project_id}, ${d.environment}, 'queued', ${d.database_mode}, ${d.databases?.sealed ?? null},
      ${d.databases?.key_id ?? null}, ${d.trigger}, ${d.source_deployment_id}, ${d.source.blob}, ${d.source.name},
      ${d.source.bytes}, ${d.source.sha256}, ${d.origin.message}, ${d.origin.commit_sha}, ${d.origin.commit_branch},
      ${d.origin.commit_dirty}, ${tx.json(d.settings as never)}, ${d.created_by}, date_trunc('milliseconds', clock_timestamp())
    )
    on conflict (id) do nothing
    returning id`;
  if (!made) return false;
  await recordAction(tx, d.id, { input: auditInput(d) });
  await tx`
    insert into moves (team_id, project_id, environment, deployment_id, fence, to_status, why, who)
    values (${team_id}, ${d.project_id}, ${d.environment}, ${d.id}, 0, 'queued', 'created', ${d.created_by})`;
  return true;
}

const auditInput = ({ environment, source_deployment_id, origin: { commit_sha } }: NewDeployment) => ({
  environment,
  ...(source_deployment_id === null ? {} : { source_deployment_id }),
  ...(commit_sha === null ? {} : { commit_sha }),
});

/** Moves are kept for 13 months, so that a year's bills can be explained. */
export const removeOldMoves = (sql: Sql) =>
  removeInBatches(
    (rows) => sql`
      delete from moves
      where ctid = any(array(
        select ctid
        from moves
        where at < now() - interval '13 months'
        limit ${rows}
      ))`,
  );

/** Deletes secrets of agents that ended an hour ago: all their output is stored by then. */
export const forgetGivenSecrets = (sql: Sql) =>
  removeInBatches(
    (rows) => sql`
      update deployments
      set given_sealed = null, given_key_id = null
      where id = any(array(
        select id
        from deployments
        where given_sealed is not null
          and ended_at < now() - interval '1 hour'
        limit ${rows}
      ))`,
  );
