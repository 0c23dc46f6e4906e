import type { RefusedHost } from '../../hosts.ts';

export type Refusals = ReturnType<typeof refusals>;

/** A host is told of once in this time, and of one instance so many. Programs try again and again, or make names up. */
const minuteMs = 60_000;
const namesOfOne = 20;
const mostKnown = 10_000;

/** Tells of hosts that were refused, within bounds. */
export function refusals() {
  const listeners = new Set<(refused: RefusedHost) => void>();
  let known = new Map<string, Set<string>>();
  let begunMs = performance.now();

  return {
    on(listener: (refused: RefusedHost) => void): void {
      listeners.add(listener);
    },
    /** Under other rules each host is told of again. */
    forget: (instance_id: string): void => void known.delete(instance_id),
    tell(refused: RefusedHost): void {
      if (refused.host.endsWith('.arpa')) return; // which name belongs to an address: programs ask for their own logs
      if (performance.now() - begunMs > minuteMs || known.size > mostKnown) {
        known = new Map();
        begunMs = performance.now();
      }
      const names = known.get(refused.instance_id) ?? new Set();
      known.set(refused.instance_id, names);
      if (names.has(refused.host) || names.size >= namesOfOne) return;
      names.add(refused.host);
      for (const listener of listeners) listener(refused);
    },
  };
}
