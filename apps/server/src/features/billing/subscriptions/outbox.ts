import { setTimeout as sleep } from 'node:timers/promises';
import { billingLimits } from '@paddock/contract/limits';
import { createIsolatedLoop } from '../../../jobs/isolated-loop.ts';
import type { PeriodicJob } from '../../../jobs/periodic.ts';
import type { Log } from '../../../log.ts';
import { type PaymentProvider, PaymentRefused, type PaymentStatus, PaymentUnavailable } from '../../../payments/provider.ts';
import type { OutboxMessage, OutboxStore, PendingMessage } from './outbox-store.ts';
import type { UpdatePayment } from './provider-events.ts';
import type { AccountRow, AccountStore, CustomerStore } from './store.ts';

/** Lease of one server on the messages of a team; longer than one call of the provider takes. */
const claimSeconds = 60;
/** Messages of one team in one turn. */
const maxPerRun = 50;
const minBackoffMs = 5_000;
const maxBackoffMs = 3_600_000;

interface Deps {
  outbox: OutboxStore;
  customers: CustomerStore;
  provider: PaymentProvider;
  updatePayment: UpdatePayment;
  log: Log;
  now: () => Date;
}
export type DeliverOutbox = (team_id: string) => Promise<void>;

/**
 * Delivers the messages of a team to the provider, one after the other, each until it is accepted. A server that dies in between leaves a message
 * that is repeated under the same key, so nothing is executed twice. Does nothing while another server holds the lease.
 */
export function createOutbox({ outbox, customers, provider, updatePayment, log, now }: Deps): DeliverOutbox {
  /** The newest turn of each team that this server processes. */
  const turns = new Map<string, Promise<void>>();

  async function deliverAll(team_id: string): Promise<void> {
    if ((await outbox.next(team_id, now())) === undefined || !(await outbox.claim(team_id, claimSeconds))) return;
    try {
      for (let done = 0; done < maxPerRun; done++) {
        const pending = await outbox.next(team_id, now());
        if (!pending || !(await deliver(team_id, pending))) return;
        await outbox.extendClaim(team_id, claimSeconds);
      }
    } finally {
      await outbox.release(team_id);
    }
  }

  /** Whether it was accepted. */
  async function deliver(team_id: string, { seq, message, tries, provider: own, is_dropped }: PendingMessage): Promise<boolean> {
    try {
      // Messages for another provider wait until that provider is configured again.
      if (!is_dropped && message.kind !== 'forget' && own !== null && own !== provider.id)
        throw new PaymentUnavailable(`The account is paid through ${own}, which is not set up here.`);
      if (!is_dropped) await callProvider(team_id, message);
      await outbox.markDelivered(team_id, seq, now());
      return true;
    } catch (error) {
      if (!(error instanceof PaymentUnavailable))
        log.error({ err: error, team_id, order: message.key }, 'delivering a billing outbox message failed');
      const pauseMs = Math.min(maxBackoffMs, minBackoffMs * 2 ** Math.min(tries, 20));
      await outbox.markFailed(team_id, seq, { error: String(error), next_try_at: new Date(now().getTime() + pauseMs) });
      return false;
    }
  }

  async function callProvider(team_id: string, message: OutboxMessage): Promise<void> {
    switch (message.kind) {
      case 'charge': {
        const status = await charge(team_id, message);
        // failpoint: charge-answered
        return updatePayment({ team_id, invoice_id: message.invoice_id }, status);
      }
      case 'void': {
        const payment = { team_id, invoice_id: message.invoice_id };
        await provider.void({ ...payment, key: message.key });
        // It may have been paid before: that money belongs to the team.
        return updatePayment(payment, await provider.retrievePayment(payment));
      }
      case 'pay_back':
        return provider.refund({ team_id, payment_id: message.payment_id, key: message.key, cents: message.cents });
      case 'forget':
        if (message.provider === provider.id) await provider.deleteCustomer({ team_id, customer_id: message.customer_id });
    }
  }

  /** A request that a provider refuses permanently is a declined payment: the team gets the reason. */
  async function charge(
    team_id: string,
    { key, invoice_id, attempt, cents }: Extract<OutboxMessage, { kind: 'charge' }>,
  ): Promise<PaymentStatus> {
    const customer = await customers.find(team_id);
    const method = customer?.payment_method;
    if (!customer || !method) return { state: 'declined', attempt, reason: 'No payment method is saved.' };
    const payer = { team_id, customer_id: customer.customer_id, payment_method_id: method.id };
    try {
      return await provider.charge(payer, { key, invoice_id, attempt, cents, text: 'Paddock' });
    } catch (error) {
      if (error instanceof PaymentRefused) return { state: 'declined', attempt, reason: error.message };
      throw error;
    }
  }

  return (team_id) => {
    const mine = (turns.get(team_id) ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => deliverAll(team_id))
      .finally(() => {
        if (turns.get(team_id) === mine) turns.delete(team_id);
      });
    turns.set(team_id, mine);
    return mine;
  };
}

const pollMs = 200;

interface WaitDeps {
  store: Pick<AccountStore, 'read'>;
  outbox: Pick<OutboxStore, 'makeDue'>;
  deliverOutbox: DeliverOutbox;
  now: () => Date;
}
export type DeliverAndWait = (team_id: string) => Promise<AccountRow>;

/**
 * Delivers the outbox messages of a person's call, and waits for a limited time until the newest payment has a result, or waits for the person. Jobs
 * continue with what is undelivered or undecided by then.
 */
export function createDeliverAndWait({ store, outbox, deliverOutbox, now }: WaitDeps): DeliverAndWait {
  return async (team_id) => {
    const end = performance.now() + billingLimits.paymentWaitMs;
    await outbox.makeDue(team_id, now());
    for (;;) {
      const left = Math.max(0, end - performance.now());
      await Promise.race([deliverOutbox(team_id), sleep(left, undefined, { ref: false })]);
      const row = await store.read(team_id);
      if (row.payment?.state !== 'running' || performance.now() + pollMs > end) return row;
      await sleep(pollMs);
    }
  };
}

const teamsAtOnce = 200;
/** Teams whose messages are delivered concurrently: a team for which the provider does not respond does not delay the others. */
const concurrency = 8;
/** After this many failures a message is reported to the operator. */
const reportAfterFailures = 3;
const maxReported = 20;

interface JobDeps {
  outbox: OutboxStore;
  deliverOutbox: DeliverOutbox;
  log: Log;
  now: () => Date;
}

/** Delivers messages that no call has delivered, and reports those that the provider does not accept. */
export function outboxJobs({ outbox, deliverOutbox, log, now }: JobDeps): PeriodicJob[] {
  const eachOfLane = Array.from({ length: concurrency }, () =>
    createIsolatedLoop(log, 'delivering an outbox message to the payment provider'),
  );
  return [
    {
      name: 'billing.hand-over',
      everySeconds: 10,
      async run() {
        const teams = (await outbox.dueTeams(now(), teamsAtOnce)).values();
        // All lanes take from one list.
        await Promise.all(eachOfLane.map((each) => each(teams, (team_id) => team_id, deliverOutbox)));
      },
    },
    {
      name: 'billing.tell-failing',
      everySeconds: 3600,
      async run() {
        for (const message of await outbox.failing(reportAfterFailures, maxReported))
          log.warn(message, 'payment provider does not accept an outbox message; retrying');
      },
    },
  ];
}
