import type { RollUpStore } from './roll-up-store.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Gateways write what a database could not take for up to an hour; hours that are over are added up again for so long. */
const lateHours = 2;
/** Of one turn; after a long rest the others follow in the next turns. */
const maxHours = 200;

/** Adds up the hours and days that are over. */
export const rollUp = (store: Pick<RollUpStore, 'due' | 'addUp' | 'rolledUntil'>) => async (signal: AbortSignal) => {
  const due = await store.due(lateHours);
  if (!due) return;
  const from = due.from.getTime();
  const to = Math.min(due.to.getTime(), from + maxHours * hourMs);
  for (let at = from; at < to; at += hourMs) {
    if (signal.aborted) return;
    await store.addUp({ unit: 'hour', at: new Date(at) });
  }
  for (let at = Math.floor(from / dayMs) * dayMs; at + dayMs <= to; at += dayMs) {
    if (signal.aborted) return;
    await store.addUp({ unit: 'day', at: new Date(at) });
  }
  await store.rolledUntil(new Date(to));
};
