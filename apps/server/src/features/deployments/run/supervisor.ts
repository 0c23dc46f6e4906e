import { setTimeout as sleep } from 'node:timers/promises';
import type { Instance } from '@paddock/runtime';
import { createIsolatedLoop } from '../../../jobs/isolated-loop.ts';
import { createProtocolDetector } from '../speaks/protocol-detector.ts';
import type { SupervisedDeployment } from '../supervised.ts';
import { createHostRuleEnforcer } from './enforce-host-rules.ts';
import { type CollectLogs, createLogCollectors } from './log-collectors.ts';
import { createExitHandler } from './process-exits.ts';
import { createReaper } from './reap-instances.ts';
import type { WorkerDeps } from './worker-deps.ts';

const everyMs = 500;
/** How long a shutdown waits until the last output of its agents is stored. */
const storeMs = 5_000;

/**
 * Reconciles running instances with the database, in both directions, and keeps a collector on each instance's output. Touches only
 * instances with this installation's label, since the driver lists no others.
 */
export function startSupervisor(parts: WorkerDeps, logs: CollectLogs) {
  const closing = new AbortController();
  const eachStep = createIsolatedLoop(parts.log, 'supervisor step', parts);
  const eachLive = createIsolatedLoop(parts.log, 'agent supervision', parts);
  const eachInstance = createIsolatedLoop(parts.log, 'instance removal', parts);
  /** Instances on this node, as of the last poll. */
  let seen = new Map<string, Instance>();
  const collecting = createLogCollectors(logs, { present: () => seen, signal: closing.signal });
  const exit = createExitHandler(parts, () => seen);
  const holding = createHostRuleEnforcer(parts);
  const speaking = createProtocolDetector(parts);
  const retiring = createReaper(parts, { logs, collecting });
  let paused = false;
  let isFirst = true;
  let turning: Promise<unknown> = Promise.resolve();

  async function reconcile() {
    const instances = await parts.driver.list();
    const live = await parts.transitions.live();
    seen = new Map(instances.map((one) => [one.id, one]));
    holding.look(live, seen);
    if (isFirst)
      await eachStep(['forget what was removed'], String, () => logs.forgetRemoved([...seen.keys()]).then(() => (isFirst = false)));
    const byInstance = new Map(live.filter((d) => d.instance_id).map((d) => [d.instance_id!, d]));
    for (const instance of instances) collecting.collect(instance);
    // The rows may be seconds younger than the list if the database was slow; deployments activated meanwhile must not count as lost.
    if (live.some((d) => d.instance_id && !seen.has(d.instance_id)))
      seen = new Map((await parts.driver.list()).map((one) => [one.id, one]));
    await eachLive(
      live,
      ({ id }) => id,
      (d) => reconcileDeployment(d, d.instance_id ? seen.get(d.instance_id) : undefined),
    );
    speaking.look(live, seen);
    await eachInstance(
      instances,
      ({ id }) => id,
      (instance) => retiring.reap(instance, byInstance.get(instance.id)),
    );
  }

  /** Handles an active deployment without a running process: it has crashed, ended, or been lost with the machine. */
  async function reconcileDeployment(d: SupervisedDeployment, instance: Instance | undefined) {
    if (d.status !== 'active') {
      if (d.drain_over && !(d.instance_id && instance)) await parts.transitions.ended(d.id);
      return;
    }
    if (d.owned || d.restart_at) return; // a worker owns it, or the restart is due later
    if (instance?.state === 'running') {
      if (d.agent_type === 'worker') await detectPort(parts, d, instance);
      return;
    }
    await exit.onExit(d, instance, await speaking.endedWhileAsked(d, instance?.exit));
  }

  async function loop() {
    while (!closing.signal.aborted) {
      try {
        if (!paused) await (turning = reconcile());
      } catch (error) {
        if (!closing.signal.aborted) parts.log.warn({ err: error }, 'supervisor turn failed; retrying');
      }
      await sleep(everyMs, undefined, { signal: closing.signal }).catch(() => 'stopping');
    }
  }

  const looping = loop();
  return {
    collected: (instance_id: string) => collecting.collected(instance_id, parts.driver),
    /** Stops all instances at shutdown; the next start brings them up again. Their output is stored first. */
    async endAll(graceMs: number) {
      paused = true;
      await turning.catch(() => 'told by the loop');
      await exit.over();
      const running = (await parts.driver.list()).filter((one) => one.state === 'running');
      await Promise.all(running.map((one) => parts.driver.stop(one.id, graceMs)));
      seen = new Map((await parts.driver.list()).map((one) => [one.id, one]));
      await Promise.race([Promise.all([collecting.stored(running), recordExits(parts, running)]), sleep(storeMs)]);
      for (const one of running) await parts.driver.remove(one.id);
    },
    async close() {
      closing.abort();
      await looping;
      await collecting.over();
      await Promise.all([retiring.over(), exit.over(), holding.over(), speaking.over()]);
    },
  };
}

/** Records end times as the driver reports them now. If that fails, the last sign of life counts. */
async function recordExits(parts: WorkerDeps, ended: readonly Instance[]) {
  const ids = new Set(ended.map(({ id }) => id));
  const instances = (await parts.driver.list()).filter(({ id }) => ids.has(id));
  await parts.noteEnds(instances).catch((error: unknown) => parts.log.warn({ err: error }, 'end times of agents could not be recorded'));
}

/** Detects a worker that has started to listen. */
async function detectPort(parts: WorkerDeps, d: SupervisedDeployment, instance: Instance) {
  const [port] = await parts.driver.listening(instance.id);
  if (!port) return;
  const at = await parts.driver.expose(instance.id, port.port);
  await parts.transitions.listening(d.id, { ...at, instance_port: port.port });
}

export type Supervisor = ReturnType<typeof startSupervisor>;
