import { setTimeout as sleep } from 'node:timers/promises';
import { deploymentBudgets } from '@paddock/contract/limits';
import type { Instance } from '@paddock/runtime';
import { eachOf } from '../../../jobs/each.ts';
import type { Live } from '../transitions.ts';
import { isInTrial } from '../trial.ts';
import { endTrial } from './end-trial.ts';
import { crashLoop, howItEnded } from './messages.ts';
import type { RunParts } from './run.ts';

const everyMs = 500;
/** A gateway that was without the database as well needs a moment to hear that another node serves by now. */
const replacedMs = 10_000;
/** How long the end of the server waits for the last output of its agents to be stored. */
const storeMs = 5_000;
/** Crashes within 10 minutes after which an agent is given up (issue: five). */
const crashesMost = 5;
const backoffSeconds = (crash: number) => Math.min(60, 2 ** (crash - 1));

/** What the supervisor needs of the logs feature. */
export interface LogCollecting {
  /** Follows an instance's output until it has exited and all of it is stored. */
  collect(instance: Instance, hasExited: () => boolean, signal: AbortSignal): Promise<void>;
  forgetInstance(instance_id: string): PromiseLike<unknown>;
  /** Forgets every instance but these. */
  forgetRemoved(present: string[]): PromiseLike<unknown>;
}

/**
 * Closes the gap between what the database says should run and what the driver says does, in both directions, and keeps a collector on
 * each instance's output. Touches only instances that carry this installation's label, since the driver lists no others.
 */
export function startSupervisor(parts: RunParts, logs: LogCollecting) {
  const closing = new AbortController();
  const eachStep = eachOf(parts.log, 'a step of supervising', parts);
  const eachLive = eachOf(parts.log, 'supervising an agent', parts);
  const eachInstance = eachOf(parts.log, 'ending or removing an instance', parts);
  const collectors = new Map<string, { done: Promise<void>; finished: boolean }>();
  const stopping = new Map<string, Promise<void>>();
  /** Deployments that are being ended: an agent's last output is waited for, which the other agents must not wait for as well. */
  const ending = new Map<string, Promise<void>>();
  const replaced = new Map<string, number>();
  let seen = new Map<string, Instance>();
  let paused = false;
  let isFirst = true;
  let turning: Promise<unknown> = Promise.resolve();

  async function turn() {
    const [instances, live] = [await parts.driver.list(), await parts.transitions.live()];
    seen = new Map(instances.map((one) => [one.id, one]));
    if (isFirst) await eachStep(['forget what was removed'], String, forgetRemoved);
    const byInstance = new Map(live.filter((d) => d.instance_id).map((d) => [d.instance_id!, d]));
    for (const instance of instances) collect(instance);
    // The rows may be seconds younger than the list, if the database was slow: what became active meanwhile is not lost.
    if (live.some((d) => d.instance_id && !seen.has(d.instance_id)))
      seen = new Map((await parts.driver.list()).map((one) => [one.id, one]));
    await eachLive(
      live,
      ({ id }) => id,
      (d) => settle(d, d.instance_id ? seen.get(d.instance_id) : undefined),
    );
    await eachInstance(
      instances,
      ({ id }) => id,
      (instance) => retire(instance, byInstance.get(instance.id)),
    );
  }

  async function forgetRemoved() {
    await logs.forgetRemoved([...seen.keys()]);
    isFirst = false;
  }

  function collect(instance: Instance) {
    if (collectors.has(instance.id)) return;
    const entry = { finished: false, done: Promise.resolve() };
    const hasExited = () => (seen.get(instance.id)?.state ?? 'exited') === 'exited';
    entry.done = logs.collect(instance, hasExited, closing.signal).finally(() => (entry.finished = true));
    collectors.set(instance.id, entry);
  }

  /** An active deployment without a running process has crashed, ended, or lost it with the machine. */
  async function settle(d: Live, instance: Instance | undefined) {
    if (d.status !== 'active') {
      if (d.drain_over && d.instance_id && !instance) await parts.transitions.ended(d.id);
      if (d.drain_over && !d.instance_id) await parts.transitions.ended(d.id);
      return;
    }
    if (d.owned || d.restart_at) return; // a worker is at it, or the restart is due later
    if (instance?.state === 'running') {
      if (d.agent_type === 'worker') await noticePort(d, instance);
      return;
    }
    await ended(d, instance);
  }

  async function ended(d: Live, instance: Instance | undefined) {
    const instance_id = d.instance_id ?? '';
    const exit = instance?.exit;
    if (!exit || (exit.code === null && exit.signal === null && !exit.oom && !exit.disk_full)) {
      await parts.transitions.lost(d.id);
      return;
    }
    if (instance?.exit?.code === 0 && d.agent_type !== 'web') {
      const held = await parts.transitions.seize(d.id);
      if (held) await parts.transitions.completed(held);
      return;
    }
    if (instance && d.restarts === 0 && isInTrial(d, exit, parts.trial_s)) {
      endAside(d, () => endTrial(parts, d, instance, exit, seen));
      return;
    }
    if (d.restarts + 1 >= crashesMost) {
      endAside(d, async () => {
        const tail = instance ? await parts.lastLines(instance) : [];
        const held = await parts.transitions.seize(d.id);
        if (held) await parts.transitions.failed(held, 'active', crashLoop(instance?.exit, parts.limits, d.restarts + 1, tail));
      });
      return;
    }
    const delay = backoffSeconds(d.restarts + 1);
    const how = howItEnded(exit);
    if (await parts.transitions.crashed(d.id, instance_id, delay, how)) {
      // failpoint: crash-noted
      const out = parts.openLog(d);
      out.write('platform', 'warning', `The agent ${how}; it is restarted in ${delay} s`);
      await out.flush();
    }
  }

  function endAside(d: Live, work: () => Promise<void>) {
    if (ending.has(d.id)) return;
    const done = parts.reserve
      .withRoom('note', work)
      .catch((error: unknown) => parts.log.warn({ err: error, deployment: d.id }, 'ending a deployment failed; tried again'))
      .finally(() => ending.delete(d.id));
    ending.set(d.id, done);
  }

  async function noticePort(d: Live, instance: Instance) {
    const [port] = await parts.driver.listening(instance.id);
    if (!port) return;
    const at = await parts.driver.expose(instance.id, port.port);
    await parts.transitions.listening({ id: d.id, fence: 0 }, { ...at, instance_port: port.port });
  }

  /** Ends what nobody wants any more; forgets what has exited once its output is stored. */
  async function retire(instance: Instance, d: Live | undefined) {
    const wanted = d && (d.status === 'active' || d.status === 'deploying' || d.status === 'building' || !d.drain_over);
    if (instance.state === 'running') {
      if (wanted || stopping.has(instance.id)) return;
      if (!d && !(await isUnclaimed(instance))) return;
      const done = parts.driver
        .stop(instance.id, deploymentBudgets.stop_grace_s * 1000)
        .catch((error: unknown) => parts.log.error({ err: error, instance: instance.id }, 'stopping an instance failed; tried again'))
        .finally(() => stopping.delete(instance.id));
      stopping.set(instance.id, done);
      return;
    }
    const collector = collectors.get(instance.id);
    if (wanted && d.status === 'active' && !d.restart_at && !d.owned) return; // settle looks at its exit first
    if (!collector?.finished || (wanted && d.status === 'deploying')) return;
    // failpoint: end-stored
    await parts.driver.remove(instance.id);
    // failpoint: instance-removed
    await logs.forgetInstance(instance.id);
    // failpoint: offsets-forgotten
    collectors.delete(instance.id);
    replaced.delete(instance.id);
    if (d && d.status !== 'active') await parts.transitions.ended(d.id);
  }

  /** True once nobody is led to an instance that no row of this node names. */
  async function isUnclaimed(instance: Instance): Promise<boolean> {
    const age = Date.now() - Date.parse(instance.started_at); // below 0 once the clock was set back
    if (age >= 0 && age < 2_000) return false; // its note may be a moment younger than this turn's look
    const whereabouts = await parts.whereabouts(instance.deployment_id);
    if (whereabouts === 'over') return true;
    if (whereabouts === 'moving') return false; // another node took it over: this one serves until that one does
    const since = replaced.get(instance.id) ?? performance.now();
    replaced.set(instance.id, since);
    return performance.now() - since > replacedMs;
  }

  async function loop() {
    while (!closing.signal.aborted) {
      try {
        if (!paused) await (turning = turn());
      } catch (error) {
        if (!closing.signal.aborted) parts.log.warn({ err: error }, 'supervising failed; tried again');
      }
      await sleep(everyMs, undefined, { signal: closing.signal }).catch(() => 'stopping');
    }
  }

  const looping = loop();
  return {
    /** Waits (bounded) until an exited instance's output is stored. */
    async collected(instance_id: string) {
      for (let tries = 0; tries < 60 && !collectors.get(instance_id)?.finished; tries++) {
        const current = await parts.driver.find(instance_id);
        if (!current) return;
        seen.set(instance_id, current);
        await sleep(50);
      }
    },
    /** Ends all instances with the server; the next start brings them up again. Their output is stored first. */
    async endAll(graceMs: number) {
      paused = true;
      await turning.catch(() => 'told by the loop');
      await Promise.all(ending.values());
      const running = (await parts.driver.list()).filter((one) => one.state === 'running');
      await Promise.all(running.map((one) => parts.driver.stop(one.id, graceMs)));
      seen = new Map((await parts.driver.list()).map((one) => [one.id, one]));
      await Promise.race([Promise.all(running.map((one) => collectors.get(one.id)?.done ?? Promise.resolve())), sleep(storeMs)]);
      for (const one of running) await parts.driver.remove(one.id);
    },
    async close() {
      closing.abort();
      await looping;
      await Promise.all([...collectors.values()].map((one) => one.done));
      await Promise.all([...stopping.values(), ...ending.values()]);
    },
  };
}
export type Supervisor = ReturnType<typeof startSupervisor>;
