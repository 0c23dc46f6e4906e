import type { Tx } from '../../db/connect.ts';
import { deploymentLabel, environmentLabel } from '../../labels/host-labels.ts';
import type { Claimed } from './leases.ts';

export interface Target {
  host: string;
  port: number;
}
type Addressed = Pick<Claimed, 'id' | 'team_id' | 'project_id' | 'subdomain' | 'environment'>;

// The only file that writes `routes`: what visitors of an address find there.

/** Leads the addresses of a deployment and its environment to it, or removes them for one that does not listen. */
export async function routeTo(tx: Tx, d: Addressed, { target, machine }: { target: Target | undefined; machine: string }) {
  // One that was not asked yet is told what the one before it was.
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

/** Whatever host visitors ask for, a deployment is told this one; null: what they ask for. */
export async function sayHost(tx: Tx, d: { id: string; team_id: string }, host_header: string | null) {
  await tx`
    update routes
    set host_header = ${host_header}
    where team_id = ${d.team_id}
      and deployment_id = ${d.id}
      and host_header is distinct from ${host_header}`;
}

/** Visitors of both addresses are told that it is on its way. */
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

/** Visitors of the environment are told that something is on its way, unless something serves there. */
export async function markEnvironmentStarting(tx: Tx, d: Addressed) {
  await tx`
    insert into routes (label, team_id, project_id, deployment_id, state, version)
    values (${environmentLabel(d.subdomain, d.environment)}, ${d.team_id}, ${d.project_id}, ${d.id}, 'starting', 0)
    on conflict (label) do update
    set state = 'starting', deployment_id = excluded.deployment_id
    where routes.target_host is null`;
}

/** Nobody is led to these deployments any more; visitors of their addresses are told why. */
export async function unroute(tx: Tx, ids: string[], state: 'starting' | 'stopped' | 'crashed') {
  await tx`
    update routes
    set
      state = ${state},
      target_host = null,
      target_port = null
    where deployment_id = any(${ids})`;
}

/** The same, of addresses that still lead somewhere. */
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

/** The address of a replaced deployment's own; that of its environment moves to the next one. */
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

/** What was said to be coming does not come. */
export async function markRouteStopped(tx: Tx, id: string) {
  await tx`
    update routes
    set state = 'stopped'
    where deployment_id = ${id}
      and target_host is null`;
}

/** A project that is deleted has no addresses from this transaction on. */
export async function removeAddresses(tx: Tx, project_id: string) {
  await tx`delete from routes where project_id = ${project_id}`;
}

const labelsOf = (d: Addressed) => [environmentLabel(d.subdomain, d.environment), deploymentLabel(d.subdomain, d.id)];
