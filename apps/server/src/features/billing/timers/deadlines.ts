import { type Account, type BillingEvent, nextDeadline } from '@paddock/billing';
import { createIsolatedLoop } from '../../../jobs/isolated-loop.ts';
import type { Log } from '../../../log.ts';
import type { ApplyEvent } from '../account/apply-event.ts';
import type { DeliverOutbox } from '../payments/outbox.ts';
import type { DeadlineStore } from './deadline-store.ts';

const maxAtOnce = 200;

interface Deps {
  store: DeadlineStore;
  handle: ApplyEvent;
  handOver: DeliverOutbox;
  log: Log;
  now: () => Date;
}

/** Applies expired timers: one of each team per turn, each in its own transaction. After an outage the next turns apply the rest. */
export function deadlineJob({ store, handle, handOver, log, now }: Deps): () => Promise<void> {
  const each = createIsolatedLoop(log, 'applying a billing timer');
  return async () => {
    await each(
      await store.teams(now(), maxAtOnce),
      (team_id) => team_id,
      async (team_id) => {
        await handle(team_id, { event: (account) => deadlineEvent(account, now().getTime()) });
        await handOver(team_id);
      },
    );
  };
}

/** The event of an account's expired timer, if there is one. */
function deadlineEvent(account: Account, at: number): BillingEvent | undefined {
  const due = nextDeadline(account);
  return due && due.at <= at ? { id: due.id, name: due.name, at } : undefined;
}
