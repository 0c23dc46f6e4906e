import type { Instance } from '@paddock/runtime';
import { isEarlyExit } from '../predecessor.ts';
import type { SupervisedDeployment } from '../supervised.ts';
import { crashLoop, describeExit, doubtfulEnd } from './failure-messages.ts';
import { failAndFallBack } from './fall-back.ts';
import type { InstanceSnapshot } from './log-collectors.ts';
import { readAgentVariables } from './variables-of-agent.ts';
import type { WorkerDeps } from './worker-deps.ts';

/** Crashes within 10 minutes after which a deployment fails. */
const maxCrashes = 5;
const backoffSeconds = (crash: number) => Math.min(60, 2 ** (crash - 1));

/** Handles an active deployment whose process is gone: it has crashed, completed, or been lost with the machine. */
export function createExitHandler(parts: WorkerDeps, present: InstanceSnapshot) {
  /** Deployments being ended in the background: waiting for an agent's last output must not delay other agents. */
  const ending = new Map<string, Promise<void>>();
  return { onExit, over: () => Promise.all(ending.values()) };

  /** `wasAsked`: the agent exited during protocol detection, which does not fail the deployment. */
  async function onExit(d: SupervisedDeployment, instance: Instance | undefined, wasAsked = false) {
    const instance_id = d.instance_id ?? '';
    const exit = instance?.exit;
    if (!exit || (exit.code === null && exit.signal === null && !exit.oom && !exit.disk_full)) {
      await parts.transitions.lost(d.id);
      return;
    }
    if (instance?.exit?.code === 0 && d.agent_type !== 'web') {
      endInBackground(d, () => completed(d, instance));
      return;
    }
    if (instance && d.restarts === 0 && isEarlyExit(d, exit, parts.trialSeconds)) {
      if (wasAsked) await parts.transitions.lost(d.id);
      else endInBackground(d, () => failAndFallBack(parts, d, { instance, exit, present: present() }));
      return;
    }
    if (d.restarts + 1 >= maxCrashes) {
      endInBackground(d, async () => {
        const tail = instance ? await parts.lastLines(instance) : [];
        const message = crashLoop(instance?.exit, {
          limits: parts.limits,
          tail,
          restarts: d.restarts + 1,
          ...(await readAgentVariables(parts, d.id)),
        });
        const held = await parts.transitions.seize(d.id);
        if (held) await parts.transitions.failed(held, { stage: 'active', message });
      });
      return;
    }
    const delay = backoffSeconds(d.restarts + 1);
    const how = describeExit(exit);
    if (await parts.transitions.crashed(d.id, { instance_id, delaySeconds: delay, how, isOutOfMemory: exit.oom })) {
      // failpoint: crash-noted
      const out = parts.openLog(d);
      out.write('platform', 'warning', `The agent ${how}; it is restarted in ${delay} s`);
      await out.flush();
    }
  }

  async function completed(d: SupervisedDeployment, instance: Instance) {
    const tail = await parts.lastLines(instance);
    const doubt = doubtfulEnd({ tail, ...(await readAgentVariables(parts, d.id)) });
    const held = await parts.transitions.seize(d.id);
    if (!held) return;
    const out = parts.openLog(d);
    if (doubt) out.write('platform', 'warning', doubt.split('\n\nLast lines:')[0]!);
    await out.flush();
    await parts.transitions.completed(held, doubt && (await out.masked(doubt)));
  }

  function endInBackground(d: SupervisedDeployment, work: () => Promise<void>) {
    if (ending.has(d.id)) return;
    const done = parts.reserve
      .withRoom('note', work)
      .catch((error: unknown) => parts.log.warn({ err: error, deployment: d.id }, 'recording the end of a deployment failed; retrying'))
      .finally(() => ending.delete(d.id));
    ending.set(d.id, done);
  }
}
