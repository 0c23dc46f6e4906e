import { setTimeout as sleep } from 'node:timers/promises';
import type { Instance, RuntimeDriver } from '@paddock/runtime';

/** Functions of the logs feature that the supervisor uses. */
export interface CollectLogs {
  /** Follows an instance's output until the instance has exited and all output is stored. */
  collect(instance: Instance, hasExited: () => boolean, signal: AbortSignal): Promise<void>;
  forgetInstance(instance_id: string): PromiseLike<unknown>;
  /** Forgets all instances except these. */
  forgetRemoved(present: string[]): PromiseLike<unknown>;
}

/** Instances by id, as of the last poll. */
export type InstanceSnapshot = () => Map<string, Instance>;
export type LogCollectors = ReturnType<typeof createLogCollectors>;

/** On a busy machine the last lines of an agent were stored many seconds after its end. Without a database they come later still. */
const maxStoringMs = 30_000;

/** Runs a collector for the output of each instance. */
export function createLogCollectors(logs: CollectLogs, { present, signal }: { present: InstanceSnapshot; signal: AbortSignal }) {
  const known = new Map<string, { done: Promise<void>; finished: boolean }>();
  return {
    collect(instance: Instance) {
      if (known.has(instance.id)) return;
      const entry = { finished: false, done: Promise.resolve() };
      const hasExited = () => (present().get(instance.id)?.state ?? 'exited') === 'exited';
      entry.done = logs.collect(instance, hasExited, signal).finally(() => (entry.finished = true));
      known.set(instance.id, entry);
    },
    /** Whether all output of the instance is stored. */
    hasFinished: (instance_id: string) => known.get(instance_id)?.finished === true,
    forget: (instance_id: string) => known.delete(instance_id),
    /** Waits (bounded) until an exited instance's output is stored: what a start failed of is read from it. */
    async collected(instance_id: string, driver: Pick<RuntimeDriver, 'find'>) {
      const end = performance.now() + maxStoringMs;
      while (performance.now() < end && !known.get(instance_id)?.finished) {
        const current = await driver.find(instance_id);
        if (!current) return;
        present().set(instance_id, current);
        await sleep(50);
      }
    },
    stored: (instances: Instance[]) => Promise.all(instances.map((one) => known.get(one.id)?.done ?? Promise.resolve())),
    over: () => Promise.all([...known.values()].map((one) => one.done)),
  };
}
