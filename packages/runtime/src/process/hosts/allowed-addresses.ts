import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_OPEN, type OpenAddress } from './filter.ts';

/** Bounds of the time that an address stays open after it was found. Within them the record's TTL decides. */
export const addressTtlSeconds = { least: 60, most: 3_600 };
/** Minimum pause between updates of the kernel, so that hosts that are looked up in succession are opened together. */
const pauseMs = 50;
/** Maximum names remembered for one address. After a change of rules each of them is checked. */
const maxNames = 16;

export type AllowedAddresses = ReturnType<typeof allowedAddresses>;

interface Open {
  /** By `performance.now()`. */
  until: number;
  names: Set<string>;
}

/** The addresses that are open for one sandbox. `open` updates the kernel; its errors are thrown to the callers that wait for it. */
export function allowedAddresses(open: (addresses: OpenAddress[]) => Promise<void>) {
  const known = new Map<string, Open>();
  let waiting = new Map<string, number>();
  let planned: Promise<void> | undefined;
  let running: Promise<void> | undefined;
  let lastMs = -pauseMs;

  /** Addresses that arrive during an update join the next batch. */
  function tell(): Promise<void> {
    planned ??= (async () => {
      await running?.catch(() => undefined);
      await sleep(Math.max(0, lastMs + pauseMs - performance.now()));
      planned = undefined;
      lastMs = performance.now();
      const batch = [...waiting].map(([address, seconds]) => ({ address, seconds }));
      waiting = new Map();
      running = open(batch);
      await running;
    })();
    return planned;
  }

  function forgetOld(): void {
    const now = performance.now();
    for (const [address, { until }] of known) if (until <= now) known.delete(address);
  }

  return {
    /** Resolves once packets to the addresses pass. Throws if too many are open. */
    async add(name: string, addresses: readonly string[], ttl: number): Promise<void> {
      const seconds = Math.min(Math.max(ttl, addressTtlSeconds.least), addressTtlSeconds.most);
      const now = performance.now();
      // An address that stays open long enough need not be sent to the kernel again.
      const missing = addresses.filter((address) => (known.get(address)?.until ?? 0) < now + (seconds / 2) * 1_000);
      if (known.size + missing.length > MAX_OPEN) forgetOld();
      if (known.size + missing.length > MAX_OPEN) throw new Error(`More than ${MAX_OPEN} addresses are open for one agent.`);
      for (const address of missing) waiting.set(address, seconds);
      if (missing.length > 0) await tell();
      for (const address of addresses) {
        const open = known.get(address) ?? { until: 0, names: new Set() };
        if (missing.includes(address)) open.until = now + seconds * 1_000;
        if (open.names.size < maxNames) open.names.add(name);
        known.set(address, open);
      }
    },

    /** The addresses that were found for a name which is still allowed, with their remaining time. */
    kept(isAllowed: (name: string) => boolean): OpenAddress[] {
      forgetOld();
      const now = performance.now();
      for (const [address, { names }] of known) if (![...names].some(isAllowed)) known.delete(address);
      return [...known].map(([address, { until }]) => ({ address, seconds: Math.max(1, (until - now) / 1_000) }));
    },
  };
}
