import { type Account, type BillingEvent, nextDeadline } from '@paddock/billing';
import { createIsolatedLoop } from '../../../jobs/isolated-loop.ts';
import type { Log } from '../../../log.ts';
import type { PaymentProvider } from '../../../payments/provider.ts';
import type { ApplyEvent } from './apply-event.ts';
import type { JobStore } from './job-store.ts';
import type { DeliverOutbox } from './outbox.ts';
import { endingAt } from './provider-change.ts';
import type { UpdatePayment } from './provider-events.ts';

const maxTimers = 200;
const maxPolls = 100;
const maxPollPauseMs = 3_600_000;
const maxProviderChanges = 200;

interface Deps {
  jobs: JobStore;
  provider: PaymentProvider;
  applyEvent: ApplyEvent;
  deliverOutbox: DeliverOutbox;
  updatePayment: UpdatePayment;
  log: Log;
  now: () => Date;
}

/** Applies expired timers: one of each team per turn, each in its own transaction. After an outage the next turns apply the rest. */
export function deadlineJob({ jobs, applyEvent, deliverOutbox, log, now }: Deps): () => Promise<void> {
  const each = createIsolatedLoop(log, 'applying a billing timer');
  return async () => {
    await each(await jobs.teamsWithDueTimer(now(), maxTimers), teamId, async ({ team_id }) => {
      await applyEvent(team_id, { event: ({ account }) => deadlineEvent(account, now().getTime()) });
      await deliverOutbox(team_id);
    });
  };
}

/** The event of an account's expired timer, if there is one. */
function deadlineEvent(account: Account, at: number): BillingEvent | undefined {
  const due = nextDeadline(account);
  return due && due.at <= at ? { id: due.id, name: due.name, at } : undefined;
}

/** Polls the provider for results of payments without a webhook event, each after longer pauses, up to an hour. */
export function paymentPollJob({ jobs, provider, updatePayment, log, now }: Deps): () => Promise<void> {
  const each = createIsolatedLoop(log, 'polling a payment');
  return async () => {
    await each(await jobs.duePayments(now(), maxPolls), teamId, async (pending) => {
      const { team_id, invoice_id, looks } = pending;
      const pauseMs = Math.min(maxPollPauseMs, provider.pollAfterMs * 2 ** Math.min(looks, 20));
      await jobs.postponePoll(pending, new Date(now().getTime() + pauseMs));
      await updatePayment({ team_id, invoice_id }, await provider.retrievePayment({ team_id, invoice_id }));
    });
  };
}

/** Writes off the debts of teams that the operator named in `billing_write_offs`. */
export function writeOffJob({ jobs, applyEvent, deliverOutbox, log, now }: Deps): () => Promise<void> {
  const each = createIsolatedLoop(log, 'writing off a debt');
  return async () => {
    await each(await jobs.writeOffs(), teamId, async ({ team_id }) => {
      const at = now().getTime();
      const applied = await applyEvent(team_id, {
        event: ({ account: { open } }) => ({ id: `written_off ${open?.id ?? at}`, at, name: 'debt_written_off' }),
      });
      if (applied === undefined || applied.refused !== undefined) log.warn({ team_id }, 'team has no debt to write off');
      else log.info({ team_id }, 'debt of a team written off');
      await deliverOutbox(team_id);
      await jobs.endWriteOff(team_id);
    });
  };
}

/** Ends what was paid through another provider and does not count here, for teams without requests or timers. */
export function providerChangeJob({ jobs, provider, applyEvent, log }: Deps): () => Promise<void> {
  const each = createIsolatedLoop(log, 'ending a plan of another payment provider');
  return async () => {
    const teams = await jobs.teamsOfProviders(endingAt(provider.id), maxProviderChanges);
    await each(teams, teamId, ({ team_id }) => applyEvent(team_id, { event: () => undefined }));
    if (teams.length > 0) log.info({ teams: teams.length, provider: provider.id }, 'plans and credit of another payment provider ended');
  };
}

const teamId = ({ team_id }: { team_id: string }) => team_id;
