import { dayMs, hourMs } from '@paddock/contract/time';
import type { RollUpStore, Unit } from './roll-up-store.ts';

/** Each unit is built from the previous one. */
const units: [Unit, ms: number][] = [
  ['half_hour', hourMs / 2],
  ['hour', hourMs],
  ['day', dayMs],
];
/** Gateways retry writes for up to an hour while the database is down, so recent periods are rolled up again. */
const lateHours = 2;
/** Maximum per turn; after a long pause the rest follows in later turns. */
const maxHours = 200;

/** Rolls up the half hours, hours and days that are over. */
export const rollUp = (store: Pick<RollUpStore, 'due' | 'addUp' | 'rolledUntil'>) => async (signal: AbortSignal) => {
  const due = await store.due(lateHours);
  if (!due) return;
  const from = due.from.getTime();
  const to = Math.min(due.to.getTime(), from + maxHours * hourMs);
  for (const [unit, ms] of units) {
    let at = Math.floor(from / ms) * ms;
    for (; at + ms <= to; at += ms) {
      if (signal.aborted) return;
      await store.addUp({ unit, from: new Date(at), to: new Date(at + ms) });
    }
    await store.rolledUntil(unit, new Date(at));
  }
};
