import { setTimeout as sleep } from 'node:timers/promises';
import type { Probe } from '@paddock/runtime';
import type { Log } from '../log.ts';

/** A booting machine has its network within minutes; a probe costs one start of a sandbox. */
const everyMs = 30_000;

/** Whether agents can run on this machine, by the last probe. */
export type RuntimeProbe = () => Probe;

/**
 * Probes whether agents can run, and repeats the probe while they cannot: the network may come up after the server, and an operator may fix the cause.
 * `close` ends the probing.
 */
export async function watchRuntime(look: () => Promise<Probe>, { log, pauseMs = everyMs }: { log: Log; pauseMs?: number }) {
  const ending = new AbortController();
  let last = await look();
  tell(log, last);
  const watching = last.ok ? Promise.resolve() : again();
  return {
    now: () => last,
    async close() {
      ending.abort();
      await watching;
    },
  };

  async function again(): Promise<void> {
    while (!last.ok) {
      await sleep(pauseMs, undefined, { signal: ending.signal, ref: false }).catch(() => undefined);
      if (ending.signal.aborted) return;
      const next = await look().catch((error: unknown) => {
        log.warn({ err: error }, 'runtime probe failed');
        return last;
      });
      if (next.ok || (!last.ok && next.reason !== last.reason)) tell(log, next);
      last = next;
    }
  }
}

function tell(log: Log, probe: Probe): void {
  if (!probe.ok) log.error({ reason: probe.reason, remedy: probe.remedy }, 'agents cannot run on this machine');
  else for (const warning of probe.warnings) log.warn(warning);
}
