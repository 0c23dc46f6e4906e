import type { Tx } from '../../db/connect.ts';
import { deploymentLabel, environmentLabel } from '../../labels/host-labels.ts';
import type { Claimed } from './transitions.ts';

export interface Target {
  host: string;
  port: number;
}
type Addressed = Pick<Claimed, 'id' | 'team_id' | 'project_id' | 'subdomain' | 'environment'>;

/** Leads the addresses of a deployment and its environment to it, or removes them for one that does not listen. */
export async function leadTo(tx: Tx, d: Addressed, target: Target | undefined, machine: string) {
  for (const label of [environmentLabel(d.subdomain, d.environment), deploymentLabel(d.subdomain, d.id)]) {
    if (target)
      await tx`insert into routes (label, team_id, project_id, deployment_id, state, target_host, target_port, target_machine, version)
        values (${label}, ${d.team_id}, ${d.project_id}, ${d.id}, 'active', ${target.host}, ${target.port}, ${machine}, 0)
        on conflict (label) do update set deployment_id = excluded.deployment_id, state = 'active', target_host = excluded.target_host, target_port = excluded.target_port,
          target_machine = excluded.target_machine`;
    else await tx`delete from routes where label = ${label}`;
  }
}

/** Visitors of both addresses are told that it is on its way. */
export async function sayStarting(tx: Tx, d: Addressed) {
  for (const label of [environmentLabel(d.subdomain, d.environment), deploymentLabel(d.subdomain, d.id)])
    await tx`insert into routes (label, team_id, project_id, deployment_id, state, version)
      values (${label}, ${d.team_id}, ${d.project_id}, ${d.id}, 'starting', 0)
      on conflict (label) do update set deployment_id = excluded.deployment_id, state = 'starting', target_host = null, target_port = null`;
}
