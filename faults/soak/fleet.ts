import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from '../../apps/server/test/server.ts';
import type { Operations } from './operations.ts';
import type { Chance } from './random.ts';
import { type Slot, serves, unsettle } from './slot.ts';

const busyMost = 8;
/** Limit of the last operations together. Each one has a lower limit of its own. */
const finishMs = 300_000;
const rememberedMost = 30;

/** The rate of the operations, the source of chance, and the signal that ends the run. */
type Pace = { everyMs: number; chance: Chance; signal: AbortSignal };

/** Performs random operations on the agents at a steady rate. */
export function startFleet(work: Operations, slots: Slot[], { everyMs, chance: { pick }, signal }: Pace) {
  const total: Record<string, number> = {};
  const failures: string[] = [];
  const running = new Set<Promise<void>>();

  function begin(name: string, slot: Slot, doing: (slot: Slot) => Promise<void>) {
    slot.isBusy = true;
    total[name] = (total[name] ?? 0) + 1;
    const done = doing(slot)
      .catch((error: unknown) => {
        if (failures.length < rememberedMost) failures.push(`${new Date().toISOString()} ${name} of agent ${slot.index}: ${String(error)}`);
        unsettle(slot); // its expected response is unknown now
      })
      .finally(() => {
        slot.isBusy = false;
        running.delete(done);
      });
    running.add(done);
  }

  async function loop() {
    for (const slot of slots) {
      if (signal.aborted) break;
      while (running.size >= busyMost) await Promise.race(running);
      begin('create', slot, work.create);
    }
    while (!signal.aborted) {
      await sleep(everyMs);
      const free = slots.filter((slot) => !slot.isBusy);
      if (running.size >= busyMost || !free.length) continue;
      const name = work.any();
      begin(name, pick(free), (slot) => (slot.project ? work.do(name, slot) : work.create(slot)));
    }
    await Promise.race([Promise.all(running), sleep(finishMs, undefined, { ref: false })]);
  }
  return { total, failures, done: loop() };
}

/** Stops a third of what runs and deletes all projects, as their owner would. */
export async function endAll(api: Api, slots: Slot[]) {
  for (const slot of slots) {
    unsettle(slot);
    if (slot.current && slot.deployment_id && slot.index % 3 === 0) await api.deployments.stop({ id: slot.deployment_id });
    serves(slot, undefined);
  }
  for (let page = 0; page < 100; page++) {
    const { projects } = await api.projects.list({});
    if (!projects.length) return;
    for (const { id } of projects) await api.projects.delete({ id });
  }
  throw new Error('there are still projects after 100 pages of them were deleted');
}
