import { createIsolatedLoop } from '../../../jobs/isolated-loop.ts';
import type { PeriodicJob } from '../../../jobs/periodic.ts';
import type { Log } from '../../../log.ts';
import type { DeliverOutbox } from './outbox.ts';
import type { OutboxStore } from './outbox-store.ts';

const teamsAtOnce = 200;
/** Teams whose messages are delivered concurrently: a team for which the provider does not respond does not delay the others. */
const concurrency = 8;
/** After this many failures a message is reported to the operator. */
const reportAfterFailures = 3;
const maxReported = 20;

interface Deps {
  orders: OutboxStore;
  handOver: DeliverOutbox;
  log: Log;
  now: () => Date;
}

/** Delivers messages that no call has delivered, and reports those that the provider does not accept. */
export function outboxJobs({ orders, handOver, log, now }: Deps): PeriodicJob[] {
  const eachOfLane = Array.from({ length: concurrency }, () =>
    createIsolatedLoop(log, 'delivering an outbox message to the payment provider'),
  );
  return [
    {
      name: 'billing.hand-over',
      everySeconds: 10,
      async run() {
        const teams = (await orders.dueTeams(now(), teamsAtOnce)).values();
        // All lanes take from one list.
        await Promise.all(eachOfLane.map((each) => each(teams, (team_id) => team_id, handOver)));
      },
    },
    {
      name: 'billing.tell-failing',
      everySeconds: 3600,
      async run() {
        for (const order of await orders.failing(reportAfterFailures, maxReported))
          log.warn(order, 'payment provider does not accept an outbox message; retrying');
      },
    },
  ];
}
