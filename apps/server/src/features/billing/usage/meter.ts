import { usageLimits } from '@paddock/contract/limits';
import { dayMs, hourMs } from '@paddock/contract/time';
import type { MeterStore } from './meter-store.ts';
import { dayOf, daysOf, hoursSince, toMonth } from './months.ts';

/** Beyond it the oldest open month is closed first, one per turn. */
const maxMonths = usageLimits.months;

/** A gateway without its database keeps the figures of an hour. */
const lateMs = 2 * hourMs;

/** Computes days, and closes months. */
export const createMeter = (store: MeterStore) => {
  let refreshedAt = Number.NEGATIVE_INFINITY;
  return { refresh, rebuild, addCorrections };

  /**
   * Recomputes today. Yesterday too, the first time and while gateways may still write it; later changes of other days wait for `rebuild`.
   */
  async function refresh(at = new Date()): Promise<void> {
    const ms = at.getTime();
    await store.meter({ from: dayOf(new Date(Math.max(ms - dayMs, Math.min(ms, refreshedAt) - lateMs))), to: dayOf(at) });
    await store.metered(at);
    refreshedAt = ms;
  }

  /** Recomputes every open day from its sources, and closes the oldest month that ended some hours ago. */
  async function rebuild(at = new Date()): Promise<void> {
    const first = await store.firstOpen(at);
    const horizon = toMonth(dayOf(at), -maxMonths);
    const from = first < horizon ? horizon : first;
    await store.meter({ from, to: dayOf(at) });
    const next = toMonth(from, 1);
    if (hoursSince(next, at) >= usageLimits.closeAfterHours && (await store.isIn(next))) await store.close(from, daysOf(from), at);
    await store.metered(at);
  }

  /** Counts late usage of closed months in the first open one, as long as all their sources are kept. */
  async function addCorrections(): Promise<void> {
    const closed = await store.closed();
    const [last] = closed;
    if (last) for (const of of closed) await store.addCorrections({ of, into: toMonth(last, 1), days: daysOf(of) });
  }
};
