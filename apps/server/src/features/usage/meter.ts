import { usageLimits } from '@paddock/contract/limits';
import type { MeterStore } from './meter-store.ts';
import { dayOf, daysOf, hoursSince, monthOf } from './months.ts';

const dayMs = 86_400_000;
/** Beyond it the oldest open month is closed first, one at a turn. */
const maxMonths = usageLimits.months;

/** Makes days of what was seen, and closes months. */
export const createMeter = (store: MeterStore) => ({
  /** Keeps today fresh, and yesterday, which gateways still write about. */
  async refresh(at = new Date()): Promise<void> {
    await store.meter({ from: dayOf(new Date(at.getTime() - dayMs)), to: dayOf(at) });
    await store.metered(at);
  },

  /** Makes every day that is not closed anew from its sources, and closes the oldest month that ended some hours ago. */
  async rebuild(at = new Date()): Promise<void> {
    const first = await store.firstOpen(at);
    const horizon = monthOf(dayOf(at), -maxMonths);
    const from = first < horizon ? horizon : first;
    await store.meter({ from, to: dayOf(at) });
    const next = monthOf(from, 1);
    if (hoursSince(next, at) >= usageLimits.closeAfterHours && (await store.isIn(next))) await store.close(from, daysOf(from), at);
    await store.metered(at);
  },

  /** Counts what has become known of closed months in the first open one, for as long as all is kept that they were made of. */
  async addCorrections(): Promise<void> {
    const closed = await store.closed();
    const [last] = closed;
    if (last) for (const of of closed) await store.addCorrections({ of, into: monthOf(last, 1), days: daysOf(of) });
  },
});
