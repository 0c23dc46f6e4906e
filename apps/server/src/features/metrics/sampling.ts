import { setTimeout as sleep } from 'node:timers/promises';
import type { Instance, Limits, RuntimeDriver } from '@paddock/runtime';
import type { Log } from '../../log.ts';
import type { Look, UsageStore } from './usage-store.ts';

const lookMs = 10_000;
const MB = 1024 ** 2;

interface Given {
  driver: Pick<RuntimeDriver, 'list' | 'load'>;
  store: Pick<UsageStore, 'add'>;
  limits: Pick<Limits, 'cpus' | 'memory_mb'>;
  log: Pick<Log, 'warn'>;
}
interface Seen {
  at_ms: number;
  cpu_ms: number;
}

/** Looks at what each instance of this node uses. What ended between two looks is not counted for that time. */
export function usageSampling({ driver, store, limits }: Omit<Given, 'log'>) {
  let seen = new Map<string, Seen>();

  return {
    async look(now = () => performance.now()): Promise<void> {
      const before = seen;
      seen = new Map();
      const looks: Look[] = [];
      for (const instance of await driver.list()) {
        const look = instance.state === 'running' && (await lookAt(instance, { before: before.get(instance.id), now }));
        if (look) looks.push(look);
      }
      if (looks.length > 0) await store.add(looks);
    },
  };

  async function lookAt({ id, deployment_id }: Instance, { before, now }: { before: Seen | undefined; now: () => number }) {
    // It may end while it is looked at.
    const load = await driver.load(id).catch(() => undefined);
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

/** Looks every 10 seconds until it is closed. */
export function startUsageSampling({ log, ...given }: Given) {
  const closing = new AbortController();
  const sampling = usageSampling(given);
  let hasFailed = false;

  async function loop() {
    while (!closing.signal.aborted) {
      try {
        await sampling.look();
        hasFailed = false;
      } catch (error) {
        if (!hasFailed) log.warn({ err: error }, 'what agents use could not be noted; tried again');
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
