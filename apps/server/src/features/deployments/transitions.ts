import type { Artifact } from '@paddock/builder';
import type { Sql } from '../../db/connect.ts';
import type { Sealed } from '../../secrets/seal.ts';
import { activation } from './activation.ts';
import { markEnvironmentStarting, markRouteStopped } from './addresses.ts';
import { type AlertsOfAgents, agentAlerts, noAlerts } from './agent-alerts.ts';
import { deletedProjectStore } from './deleted-project-store.ts';
import { exitTransitions } from './exit-transitions.ts';
import {
  type Claimed,
  fenceRaised,
  LeaseLost,
  leases,
  type Mover,
  type NewestFailed,
  type OwnedDeployment,
  ownedBy,
  released,
} from './leases.ts';
import { findPredecessor } from './predecessor.ts';
import { retainedArtifacts } from './retained-artifacts.ts';
import { move, moveOwn } from './states.ts';
import { supervised } from './supervised.ts';

interface Starting {
  instance_id: string;
  given?: Sealed | undefined;
  variables_at?: string | null;
  /** The last change of each variable that the process is given, by name. */
  variable_times?: Record<string, string>;
}

export type Transitions = ReturnType<typeof transitions>;

/** The worker's queries about deployments. Each change checks the fence, so a worker that slept too long changes nothing. */
export const transitions = (sql: Sql, { alerts: ofAgents = noAlerts, ...mover }: Mover & { alerts?: AlertsOfAgents }) => {
  const { node, machine = '' } = mover;
  const alerts = agentAlerts(ofAgents);
  /** A change by the owner that does not move the deployment. */
  const write = async (d: OwnedDeployment, set: ReturnType<Sql>) => {
    const [row] = await sql`
      update deployments d
      set ${set}
      where ${ownedBy(sql, d)}
        and not cancel_requested
      returning id`;
    if (!row) throw new LeaseLost();
  };

  return {
    ...leases(sql, mover),
    ...exitTransitions(sql, { node, machine, alerts }),
    ...supervised(sql, { node, machine }),
    ...deletedProjectStore(sql),
    ...retainedArtifacts(sql),

    active: activation(sql, { machine, alerts }),
    predecessorOf: (id: string) => findPredecessor(sql, node, id),

    building: (d: Claimed) =>
      sql.begin(async (tx) => {
        await moveOwn(tx, d, { to: 'building', why: 'started_building', set: tx`building_at = coalesce(building_at, now())` });
        // Until a deployment serves here, the address shows that one is starting.
        await markEnvironmentStarting(tx, d);
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
     * Releases the deployment for a later build with older versions. The fence rises, because this attempt is over and the next move is
     * recorded as another one.
     */
    buildOlder: (d: Claimed, why: NewestFailed) =>
      moveOwn(sql, d, {
        to: 'building',
        why: 'started_building',
        set: sql`
          newest_failed = ${sql.json(why as never)},
          artifact = null,
          instance_id = null,
          attempts = greatest(0, attempts - 1),
          cut_short = greatest(0, cut_short - 1),
          ${fenceRaised(sql)},
          ${released(sql)}`,
      }),

    /**
     * The instance and its secrets are recorded before the process starts, so that a process without a record belongs to nobody and can be
     * stopped. `restart_at` stays until the agent is ready: should this worker die, the restart is still due.
     */
    starting: (d: Claimed, { instance_id, given, variables_at = null, variable_times = {} }: Starting) =>
      write(
        d,
        sql`
          instance_id = ${instance_id},
          instance_port = null,
          node = ${node},
          given_sealed = ${given?.sealed ?? null},
          given_key_id = ${given?.key_id ?? null},
          variables_at = ${variables_at},
          variable_times = ${sql.json(variable_times)}`,
      ),

    /** Records the end after a cancel, guarded only by the fence. */
    cancelled: async (d: OwnedDeployment) => {
      await sql.begin(async (tx) => {
        const [moved] = await move(tx, {
          to: 'stopped',
          why: 'cancelled',
          where: tx`${ownedBy(tx, d)} and d.cancel_requested`,
          set: tx`ended_at = now(), drain_until = now(), ${released(tx)}`,
        });
        if (moved) await markRouteStopped(tx, d.id);
      });
    },
  };
};
