import type { Changes } from '../../../db/changes.ts';
import { type Claimed, type ClaimOrder, LeaseLost, leaseRenewMs } from '../leases.ts';
import { earlyPlans } from './plan-early.ts';
import { runDeployment } from './run.ts';
import type { WorkerDeps } from './worker-deps.ts';
import { createWorkerSlots } from './worker-slots.ts';

/** Poll interval; notifications wake the worker at once. */
const idleMs = 1_000;

/**
 * Moves deployments forward, a few at a time. `close` releases deployments in progress, so that another worker or the next start continues
 * them.
 */
export function startWorker(parts: WorkerDeps, { changes, buildsAtOnce }: { changes: Changes; buildsAtOnce: number }) {
  const { log } = parts;
  const closing = new AbortController();
  let wake: () => void = () => undefined;
  let nudged = false;
  const unlisten = changes.on('work', (id) => {
    renewLease(id);
    nudge();
  });

  const nudge = () => {
    nudged = true;
    wake();
  };
  const { claimed, renewLease, follow, ended } = following(parts, { closing: closing.signal, onLeft: nudge });
  const room = createWorkerSlots(buildsAtOnce);
  const hasSuspect = () => [...claimed.values()].some((one) => one.cut_short > 1);

  async function loop() {
    while (!closing.signal.aborted) {
      nudged = false;
      const { what, turn } = room.next();
      const d = what === 'nothing' ? undefined : await claim(what, turn);
      if (d) {
        // failpoint: claimed
        take(d);
        continue;
      }
      const planTurn = plans.turn();
      const waiting = planTurn && (await claim('plans', planTurn));
      if (waiting) {
        follow(waiting, plans.take(waiting));
        continue;
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, idleMs);
        wake = () => (clearTimeout(timer), resolve());
        if (closing.signal.aborted || nudged) wake(); // a notification that arrived during the claim
      });
    }
  }

  const claim = (what: 'all' | 'restarts' | 'plans', turn: ClaimOrder) =>
    parts.transitions
      .claim(what, { held: [...claimed.keys(), ...(what === 'plans' ? plans.broken : [])], alone: hasSuspect(), turn })
      .catch((error: unknown) => {
        log.warn({ err: error }, 'claim of a deployment failed; retrying');
        return undefined;
      });

  function take(d: Claimed) {
    room.take(d);
    const onBuilt = () => {
      room.built(d.id);
      nudge();
    };
    follow(d, { work: (signal) => runDeployment(parts, d, { signal, onBuilt }), left: () => room.leave(d.id) });
  }

  const plans = earlyPlans(parts);
  const looping = loop();
  return {
    async close() {
      unlisten();
      closing.abort();
      wake();
      await looping;
      await ended();
    },
  };
}

interface Surroundings {
  closing: AbortSignal;
  /** Called whenever a deployment is no longer in progress. */
  onLeft: () => void;
}

/** A worker's deployments in progress: renews their leases, and releases them when their work fails. */
function following(parts: WorkerDeps, { closing, onLeft }: Surroundings) {
  const { log } = parts;
  const claimed = new Map<string, Claimed>();
  const running = new Map<string, { abort: AbortController; done: Promise<void> }>();

  // A notification of a cancel triggers this; the renewal confirms it in the database.
  function renewLease(id: string) {
    const one = claimed.get(id);
    if (one)
      parts.transitions.renew(one).then(
        (ours) => (ours ? undefined : running.get(id)?.abort.abort(new LeaseLost())),
        (error: unknown) => log.warn({ err: error }, 'lease renewal failed'),
      );
  }

  function follow(d: Claimed, { work, left }: Following) {
    const abort = new AbortController();
    const signal = AbortSignal.any([abort.signal, closing]);
    const renewal = setInterval(() => renewLease(d.id), leaseRenewMs);
    claimed.set(d.id, d);
    const done = work(signal)
      .catch((error: unknown) => releaseDeployment(parts, d, { error, isClosing: closing.aborted, isOurs: !abort.signal.aborted }))
      .catch((error: unknown) => log.error({ err: error, deployment: d.id }, 'release of a deployment failed; its lease will expire'))
      .finally(() => {
        clearInterval(renewal);
        claimed.delete(d.id);
        running.delete(d.id);
        left();
        onLeft();
      });
    running.set(d.id, { abort, done: done.then(() => undefined) });
  }

  const ended = () => Promise.all([...running.values()].map((one) => one.done));
  return { claimed, renewLease, follow, ended };
}

interface Following {
  work: (signal: AbortSignal) => Promise<unknown>;
  /** Called when the work is over, whatever its result. */
  left: () => void;
}

interface Interruption {
  error: unknown;
  /** This server is shutting down: another one continues the deployment. */
  isClosing: boolean;
  isOurs: boolean;
}

async function releaseDeployment({ transitions, log }: WorkerDeps, d: Claimed, { error, isClosing, isOurs }: Interruption) {
  if (isClosing) return await transitions.handBack(d);
  // No longer ours: after a cancel we record the end, otherwise the new owner does.
  if (error instanceof LeaseLost || !isOurs) return await transitions.cancelled(d);
  log.error({ err: error, deployment: d.id }, 'deployment attempt failed; retrying when its lease expires');
  return await transitions.brokeOff(d);
}
