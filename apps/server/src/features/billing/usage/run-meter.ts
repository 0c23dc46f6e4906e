import { setTimeout as sleep } from 'node:timers/promises';
import type { Instance, Limits, RuntimeDriver } from '@paddock/runtime';
import type { Log } from '../../../log.ts';
import type { RunSample, SpanStore } from './run-span-store.ts';

/** Poll interval: the maximum running time that is lost when a machine dies. */
const lookMs = 10_000;

interface Deps {
  driver: Pick<RuntimeDriver, 'list'>;
  store: Pick<SpanStore, 'recordRuns'>;
  limits: Pick<Limits, 'cpus'>;
  log: Pick<Log, 'warn'>;
}

/** Records the running times of a node's instances. */
export const runMeter = ({ driver, store, limits }: Pick<Deps, 'driver' | 'store' | 'limits'>) => {
  const note = (instances: readonly Instance[]) => store.recordRuns(instances.flatMap((instance) => toRunSample(instance, limits.cpus)));
  return {
    note,
    async sample(): Promise<void> {
      await note(await driver.list());
    },
  };
};

function toRunSample({ id, deployment_id, started_at, state, exit }: Instance, cpus: number): RunSample[] {
  const now = Date.now();
  const began_ms_ago = Math.max(0, now - Date.parse(started_at));
  const run = { instance_id: id, deployment_id, began_ms_ago, cpu_milli: Math.round(cpus * 1000) };
  if (state === 'running') return [{ ...run, ended_ms_ago: 0 }];
  // It has ended, and its output is not completely written yet: one of the next polls returns `exit`.
  if (!exit) return [];
  const isKnown = exit.code !== null || exit.signal !== null || exit.oom || exit.disk_full;
  return [{ ...run, ended_ms_ago: isKnown ? Math.min(began_ms_ago, Math.max(0, now - Date.parse(exit.at))) : null }];
}

/** Polls every 10 seconds until it is closed. */
export function startRunMeter({ log, ...given }: Deps) {
  const closing = new AbortController();
  const meter = runMeter(given);
  let hasFailed = false;

  async function loop() {
    while (!closing.signal.aborted) {
      try {
        await meter.sample();
        hasFailed = false;
      } catch (error) {
        if (!hasFailed) log.warn({ err: error }, 'storing the running time of agents failed; retrying');
        hasFailed = true;
      }
      await sleep(lookMs, undefined, { signal: closing.signal }).catch(() => 'stopping');
    }
  }
  const looping = loop();
  return {
    /** Called before an instance is removed: its end is not known from any other source. */
    note: meter.note,
    async close() {
      closing.abort();
      await looping;
      await meter.sample().catch(() => 'the next server looks again');
    },
  };
}
