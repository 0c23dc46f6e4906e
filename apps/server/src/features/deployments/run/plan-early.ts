import { BuildError } from '@paddock/builder';
import { isConnectionError } from '../../../db/connect.ts';
import { retryOutages } from '../../../db/retry-outages.ts';
import { type Claimed, LeaseLost } from '../leases.ts';
import { buildFailure } from './failure-messages.ts';
import { failDeployment, type WorkerDeps } from './worker-deps.ts';
import { planTurn } from './worker-slots.ts';

/** Maximum remembered deployments whose early plan failed. */
const maxBroken = 1_000;

/** Plans deployments that wait for their builds. */
export function earlyPlans(parts: WorkerDeps) {
  /** Teams by deployment, for deployments being planned now. */
  const planning = new Map<string, string>();
  const broken = new Set<string>();
  return {
    /** The order for the next claim; undefined if nothing may be planned now. */
    turn: () => planTurn([...planning.values()]),
    /** Deployments whose plan is left to the build. */
    broken,
    take(d: Claimed) {
      if (broken.size >= maxBroken) broken.clear();
      planning.set(d.id, d.team_id);
      const onBroken = () => void broken.add(d.id);
      return { work: (signal: AbortSignal) => planEarly(parts, d, { signal, onBroken }), left: () => void planning.delete(d.id) };
    },
  };
}

interface Planning {
  signal: AbortSignal;
  /** Called when the plan failed for a reason outside the archive. */
  onBroken: () => void;
}

/**
 * Plans a deployment that waits for its build, and releases it. An archive that cannot be planned fails now: its message does not wait
 * behind other teams' builds. Throws LeaseLost when the deployment is no longer ours.
 */
async function planEarly(given: WorkerDeps, d: Claimed, { signal, onBroken }: Planning): Promise<void> {
  const transitions = retryOutages(given.transitions, signal);
  const parts = { ...given, transitions };
  try {
    await transitions.planned(d, await parts.plan({ d, signal }));
  } catch (error) {
    if (signal.aborted || error instanceof LeaseLost || isConnectionError(error)) throw error;
    if (error instanceof BuildError) {
      const out = parts.openLog(d);
      await transitions.building(d);
      return await failDeployment({ parts, d, out, signal }, 'building', { message: buildFailure(error), choices: error.choices });
    }
    onBroken();
    given.log.warn({ err: error, deployment: d.id }, 'early plan of a deployment failed; its build plans it again');
  }
  await transitions.handBack(d);
}
