import { setTimeout as sleep } from 'node:timers/promises';
import type { Platform } from '../../apps/server/test/platform.ts';

export interface Visits {
  count: number;
  failed: number;
  p50: number;
  p99: number;
}

/** Visits the neighbour at a fixed modest rate until `end`, however long each visit takes. */
export function startVisits({ visit }: Platform, host: string, perSecond: number): { end(): Promise<Visits> } {
  const times: number[] = [];
  const under = new Set<Promise<void>>();
  let failed = 0;
  let over = false;
  const one = async () => {
    const begun = performance.now();
    try {
      const { status, body } = await visit(host);
      if (status !== 200 || body !== 'the neighbour') failed += 1;
    } catch {
      failed += 1; // the reasons do not matter here
    }
    times.push(performance.now() - begun);
  };
  const loop = (async () => {
    const begun = performance.now();
    for (let n = 0; !over && n < 100_000; n++) {
      const visiting = one().finally(() => under.delete(visiting));
      under.add(visiting);
      await sleep(Math.max(0, begun + ((n + 1) * 1000) / perSecond - performance.now()));
    }
  })();
  return {
    async end() {
      over = true;
      await loop;
      await Promise.all(under);
      const sorted = times.toSorted((a, b) => a - b);
      const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
      return { count: sorted.length, failed, p50: at(0.5), p99: at(0.99) };
    },
  };
}

export async function visitFor(paddock: Platform, host: string, { ms, perSecond }: { ms: number; perSecond: number }): Promise<Visits> {
  const visits = startVisits(paddock, host, perSecond);
  await sleep(ms);
  return visits.end();
}
