import { deploymentBudgets } from '@paddock/contract/limits';
import type { Instance } from '@paddock/runtime';
import type { SupervisedDeployment } from '../supervised.ts';
import type { CollectLogs, LogCollectors } from './log-collectors.ts';
import type { WorkerDeps } from './worker-deps.ts';

/** A gateway that also lost the database needs this long to learn that another node serves now. */
const replacedMs = 10_000;

/** Stops instances without a row that needs them, and removes exited ones. */
export function createReaper(parts: WorkerDeps, { logs, collecting }: { logs: CollectLogs; collecting: LogCollectors }) {
  const stopping = new Map<string, Promise<void>>();
  const replaced = new Map<string, number>();
  /** The instance of each restarted deployment that finishes its requests, by the deployment's id. */
  const draining = new Map<string, Instance>();
  return { reap, over: () => Promise.all(stopping.values()) };

  /** Stops an instance that is no longer wanted; removes an exited one once its output is stored. */
  async function reap(instance: Instance, d: SupervisedDeployment | undefined) {
    const wanted = d && (d.status === 'active' || d.status === 'deploying' || d.status === 'building' || !d.drain_over);
    if (instance.state === 'running') {
      if (wanted || stopping.has(instance.id)) return;
      if (!d && !(await isOrphaned(instance))) return;
      const done = parts.driver
        .stop(instance.id, deploymentBudgets.stopGraceSeconds * 1000)
        .catch((error: unknown) => parts.log.error({ err: error, instance: instance.id }, 'instance stop failed; retrying'))
        .finally(() => stopping.delete(instance.id));
      stopping.set(instance.id, done);
      return;
    }
    if (wanted && d.status === 'active' && !d.restart_at && !d.owned) return; // reconcileDeployment handles its exit first
    if (!collecting.hasFinished(instance.id) || (wanted && d.status === 'deploying')) return;
    await parts.noteEnds([instance]);
    // failpoint: end-stored
    await parts.driver.remove(instance.id);
    // failpoint: instance-removed
    await logs.forgetInstance(instance.id);
    // failpoint: offsets-forgotten
    collecting.forget(instance.id);
    replaced.delete(instance.id);
    if (draining.get(instance.deployment_id)?.id === instance.id) draining.delete(instance.deployment_id);
    if (d && d.status !== 'active') await parts.transitions.ended(d.id);
  }

  /** True once no route leads to an instance that no row of this node names. */
  async function isOrphaned(instance: Instance): Promise<boolean> {
    const age = Date.now() - Date.parse(instance.started_at); // negative after the clock was set back
    if (age >= 0 && age < 2_000) return false; // its row may be a moment younger than the rows read in this turn
    const whereabouts = await parts.whereabouts(instance.deployment_id);
    if (whereabouts === 'over') return true;
    if (whereabouts === 'moving') return false; // another node took it over: this one serves until that one does
    if (whereabouts === 'here' && !isLastReplaced(instance)) return true;
    const since = replaced.get(instance.id) ?? performance.now();
    replaced.set(instance.id, since);
    return performance.now() - since > (whereabouts === 'here' ? deploymentBudgets.drainSeconds * 1000 : replacedMs);
  }

  /** Only the last instance that a restart has replaced finishes its requests: restarts in a row must not pile them up. */
  function isLastReplaced(instance: Instance): boolean {
    const last = draining.get(instance.deployment_id);
    if (last !== undefined && Date.parse(last.started_at) > Date.parse(instance.started_at)) return false;
    draining.set(instance.deployment_id, instance);
    return true;
  }
}
