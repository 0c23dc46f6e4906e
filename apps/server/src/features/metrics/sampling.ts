import { setTimeout as sleep } from 'node:timers/promises';
import type { Instance, Limits, RuntimeDriver } from '@paddock/runtime';
import type { Log } from '../../log.ts';
import type { Look, UsageStore } from './usage-store.ts';

const lookMs = 10_000;
const MB = 1024 ** 2;

interface Deps {
  driver: Pick<RuntimeDriver, 'list' | 'load'>;
  store: Pick<UsageStore, 'add'>;
  limits: Pick<Limits, 'cpus' | 'memory_mb'>;
  log: Pick<Log, 'warn'>;
}
interface Seen {
  at_ms: number;
  cpu_ms: number;
}

interface Asked {
  before: Seen | undefined;
  failed: number;
  now: () => number;
}

/** Samples the resource usage of each instance of this node. An instance that ended between two samples is not counted for that time. */
export function usageSampling({ driver, store, limits, log }: Deps) {
  let seen = new Map<string, Seen>();
  /** Consecutive failures to sample a running instance. */
  let failures = new Map<string, number>();

  return {
    async look(now = () => performance.now()): Promise<void> {
      const before = seen;
      seen = new Map();
      const failedBefore = failures;
      failures = new Map();
      const looks: Look[] = [];
      for (const instance of await driver.list()) {
        const look =
          instance.state === 'running' &&
          (await lookAt(instance, { before: before.get(instance.id), failed: failedBefore.get(instance.id) ?? 0, now }));
        if (look) looks.push(look);
      }
      if (looks.length > 0) await store.add(looks);
    },
  };

  async function lookAt({ id, deployment_id }: Instance, { before, failed, now }: Asked) {
    const load = await driver.load(id).catch((error: unknown) => {
      failures.set(id, failed + 1);
      // On the first failure it may have ended during the sample; one that still runs is logged once.
      if (failed === 1) log.warn({ err: error, instance: id }, 'sampling the resource usage of an agent failed; retrying');
      return undefined;
    });
    if (!load) return undefined;
    const at_ms = now();
    seen.set(id, { at_ms, cpu_ms: load.cpu_ms });
    const measured_ms = before ? Math.round(at_ms - before.at_ms) : 0;
    return {
      deployment_id,
      measured_ms,
      cpu_ms: before ? Math.max(0, Math.round(load.cpu_ms - before.cpu_ms)) : 0,
      cpu_limit_ms: Math.round(measured_ms * limits.cpus),
      memory_bytes: Math.round(load.memory_bytes),
      memory_limit_bytes: limits.memory_mb * MB,
    };
  }
}

/** Samples every 10 seconds until it is closed. */
export function startUsageSampling({ log, ...given }: Deps) {
  const closing = new AbortController();
  const sampling = usageSampling({ ...given, log });
  let hasFailed = false;

  async function loop() {
    while (!closing.signal.aborted) {
      try {
        await sampling.look();
        hasFailed = false;
      } catch (error) {
        if (!hasFailed) log.warn({ err: error }, 'storing the resource usage of agents failed; retrying');
        hasFailed = true;
      }
      await sleep(lookMs, undefined, { signal: closing.signal }).catch(() => 'stopping');
    }
  }
  const looping = loop();
  return {
    async close() {
      closing.abort();
      await looping;
    },
  };
}
