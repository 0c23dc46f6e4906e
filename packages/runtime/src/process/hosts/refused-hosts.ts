import type { RefusedHost } from '../../hosts.ts';

export type Refusals = ReturnType<typeof createRefusedHosts>;

/** Each host is reported once in this time, and a bounded number per instance: programs retry endlessly, or make names up. */
const minuteMs = 60_000;
const namesOfOne = 20;
const maxInstances = 10_000;

/** Reports refused hosts, within bounds. */
export function createRefusedHosts() {
  const listeners = new Set<(refused: RefusedHost) => void>();
  /** By instance: when each host was last reported. */
  const told = new Map<string, Map<string, number>>();

  return {
    on(listener: (refused: RefusedHost) => void): void {
      listeners.add(listener);
    },
    /** After a change of rules each host is reported again. */
    forget: (instance_id: string): void => void told.delete(instance_id),
    tell(refused: RefusedHost): void {
      const { instance_id, host } = refused;
      if (host.endsWith('.arpa')) return; // reverse lookups, which programs make for their own logs
      const now = performance.now();
      const hosts = told.get(instance_id) ?? new Map<string, number>();
      for (const [name, at] of hosts) if (now - at >= minuteMs) hosts.delete(name);
      if (hosts.has(host) || hosts.size >= namesOfOne) return;
      hosts.set(host, now);
      told.set(instance_id, hosts);
      // Drops the instance that has been known longest.
      if (told.size > maxInstances) told.delete(told.keys().next().value!);
      for (const listener of listeners) listener(refused);
    },
  };
}
