import type { RollUpStore, Unit } from './roll-up-store.ts';

const hourMs = 3_600_000;
/** Each is made of the one before. */
const units: [Unit, ms: number][] = [
  ['half_hour', hourMs / 2],
  ['hour', hourMs],
  ['day', 24 * hourMs],
];
/** Gateways write what a database could not take for up to an hour; what is over is added up again for so long. */
const lateHours = 2;
/** Of one turn; after a long rest the others follow in the next turns. */
const maxHours = 200;

/** Adds up the half hours, hours and days that are over. */
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
