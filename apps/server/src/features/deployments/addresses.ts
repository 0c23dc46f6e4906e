import type { Tx } from '../../db/connect.ts';
import { deploymentLabel, environmentLabel } from '../../labels/host-labels.ts';
import type { Claimed } from './leases.ts';

export interface Target {
  host: string;
  port: number;
}
type Addressed = Pick<Claimed, 'id' | 'team_id' | 'project_id' | 'subdomain' | 'environment'>;

// The only file that writes `routes`, from which the gateway resolves addresses.

/** Routes the addresses of a deployment and its environment to it, or removes them if it does not listen. */
export async function routeTo(tx: Tx, d: Addressed, { target, machine }: { target: Target | undefined; machine: string }) {
  // A deployment whose protocols are not yet known gets its predecessor's Host header.
  const [asked] = await tx<{ host_header: string | null }[]>`
    select host_header
    from deployment_protocols
    where team_id = ${d.team_id}
      and deployment_id = ${d.id}`;
  for (const label of labelsOf(d)) {
    if (target)
      await tx`
        insert into routes (label, team_id, project_id, deployment_id, state, target_host, target_port, target_machine, host_header, version)
        values (
          ${label}, ${d.team_id}, ${d.project_id}, ${d.id}, 'active', ${target.host}, ${target.port}, ${machine}, ${asked?.host_header ?? null}, 0
        )
        on conflict (label) do update
        set
          deployment_id = excluded.deployment_id,
          state = 'active',
          target_host = excluded.target_host,
          target_port = excluded.target_port,
          target_machine = excluded.target_machine,
          host_header = ${asked ? tx`excluded.host_header` : tx`routes.host_header`}`;
    else await tx`delete from routes where label = ${label}`;
  }
}

/** Sets the Host header that a deployment gets whatever host visitors request; null: the requested one. */
export async function sayHost(tx: Tx, d: { id: string; team_id: string }, host_header: string | null) {
  await tx`
    update routes
    set host_header = ${host_header}
    where team_id = ${d.team_id}
      and deployment_id = ${d.id}
      and host_header is distinct from ${host_header}`;
}

/** Both addresses show that the deployment is starting. */
export async function markRouteStarting(tx: Tx, d: Addressed) {
  for (const label of labelsOf(d))
    await tx`
      insert into routes (label, team_id, project_id, deployment_id, state, version)
      values (${label}, ${d.team_id}, ${d.project_id}, ${d.id}, 'starting', 0)
      on conflict (label) do update
      set
        deployment_id = excluded.deployment_id,
        state = 'starting',
        target_host = null,
        target_port = null`;
}

/** The environment's address shows that a deployment is starting, unless one serves there. */
export async function markEnvironmentStarting(tx: Tx, d: Addressed) {
  await tx`
    insert into routes (label, team_id, project_id, deployment_id, state, version)
    values (${environmentLabel(d.subdomain, d.environment)}, ${d.team_id}, ${d.project_id}, ${d.id}, 'starting', 0)
    on conflict (label) do update
    set state = 'starting', deployment_id = excluded.deployment_id
    where routes.target_host is null`;
}

/** Ends the routes to these deployments; their addresses show the reason. */
export async function unroute(tx: Tx, ids: string[], state: 'starting' | 'stopped' | 'crashed') {
  await tx`
    update routes
    set
      state = ${state},
      target_host = null,
      target_port = null
    where deployment_id = any(${ids})`;
}

/** Like `unroute`, for active routes only, which then show that the deployment is starting. */
export async function unrouteActive(tx: Tx, ids: string[]) {
  await tx`
    update routes
    set
      state = 'starting',
      target_host = null,
      target_port = null
    where deployment_id = any(${ids})
      and target_host is not null`;
}

/** Closes a replaced deployment's own address; the environment's address moves to the next deployment. */
export async function closeOwnRoute(tx: Tx, id: string, environment: Pick<Addressed, 'subdomain' | 'environment'>) {
  await tx`
    update routes
    set
      state = 'stopped',
      target_host = null,
      target_port = null
    where deployment_id = ${id}
      and label <> ${environmentLabel(environment.subdomain, environment.environment)}`;
}

/** Stops the addresses of a deployment that was starting and will not become active. */
export async function markRouteStopped(tx: Tx, id: string) {
  await tx`
    update routes
    set state = 'stopped'
    where deployment_id = ${id}
      and target_host is null`;
}

/** A deleted project has no addresses from this transaction on. */
export async function removeAddresses(tx: Tx, project_id: string) {
  await tx`delete from routes where project_id = ${project_id}`;
}

const labelsOf = (d: Addressed) => [environmentLabel(d.subdomain, d.environment), deploymentLabel(d.subdomain, d.id)];
