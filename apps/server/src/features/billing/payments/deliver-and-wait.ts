import { setTimeout as sleep } from 'node:timers/promises';
import { billingLimits } from '@paddock/contract/limits';
import type { AccountRow } from '../account/rows.ts';
import type { AccountStore } from '../account/store.ts';
import type { DeliverOutbox } from './outbox.ts';
import type { OutboxStore } from './outbox-store.ts';

const pollMs = 200;

interface Deps {
  store: Pick<AccountStore, 'read'>;
  orders: Pick<OutboxStore, 'makeDue'>;
  handOver: DeliverOutbox;
  now: () => Date;
}
export type DeliverAndWait = (team_id: string) => Promise<AccountRow>;

/**
 * Delivers the outbox messages of a person's call, and waits for a limited time until the newest payment has a result, or waits for the person. Jobs
 * continue with what is undelivered or undecided by then.
 */
export function createDeliverAndWait({ store, orders, handOver, now }: Deps): DeliverAndWait {
  return async (team_id) => {
    const end = performance.now() + billingLimits.paymentWaitMs;
    await orders.makeDue(team_id, now());
    for (;;) {
      const left = Math.max(0, end - performance.now());
      await Promise.race([handOver(team_id), sleep(left, undefined, { ref: false })]);
      const row = await store.read(team_id);
      if (row.payment?.state !== 'running' || performance.now() + pollMs > end) return row;
      await sleep(pollMs);
    }
  };
}
