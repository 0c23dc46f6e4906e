import type { Log } from '../../../log.ts';
import { type PaymentProvider, PaymentRefused, type PaymentStatus, PaymentUnavailable } from '../../../payments/provider.ts';
import type { CustomerStore } from './customer-store.ts';
import type { OutboxMessage, OutboxStore, PendingMessage } from './outbox-store.ts';
import type { UpdatePayment } from './provider-events.ts';

/** Lease of one server on the messages of a team; longer than one call of the provider takes. */
const claimSeconds = 60;
/** Messages of one team in one turn. */
const maxPerRun = 50;
const minBackoffMs = 5_000;
const maxBackoffMs = 3_600_000;

interface Deps {
  orders: OutboxStore;
  customers: CustomerStore;
  provider: PaymentProvider;
  news: UpdatePayment;
  log: Log;
  now: () => Date;
}
export type DeliverOutbox = (team_id: string) => Promise<void>;

/**
 * Delivers the messages of a team to the provider, one after the other, each until it is accepted. A server that dies in between leaves a message
 * that is repeated under the same key, so nothing is executed twice. Does nothing while another server holds the lease.
 */
export function createOutbox({ orders, customers, provider, news, log, now }: Deps): DeliverOutbox {
  /** The newest turn of each team that this server processes. */
  const turns = new Map<string, Promise<void>>();

  async function deliverAll(team_id: string): Promise<void> {
    if ((await orders.next(team_id, now())) === undefined || !(await orders.claim(team_id, claimSeconds))) return;
    try {
      for (let done = 0; done < maxPerRun; done++) {
        const waiting = await orders.next(team_id, now());
        if (!waiting || !(await deliver(team_id, waiting))) return;
        await orders.extendClaim(team_id, claimSeconds);
      }
    } finally {
      await orders.release(team_id);
    }
  }

  /** Whether it was accepted. */
  async function deliver(team_id: string, { seq, asked, tries, is_dropped }: PendingMessage): Promise<boolean> {
    try {
      if (!is_dropped && asked.kind !== 'forget') await mustBeOurs(team_id);
      if (!is_dropped) await callProvider(team_id, asked);
      await orders.markDelivered(seq, now());
      return true;
    } catch (error) {
      if (!(error instanceof PaymentUnavailable))
        log.error({ err: error, team_id, order: asked.key }, 'delivering a billing outbox message failed');
      const pauseMs = Math.min(maxBackoffMs, minBackoffMs * 2 ** Math.min(tries, 20));
      await orders.markFailed(seq, { error: String(error), next_try_at: new Date(now().getTime() + pauseMs) });
      return false;
    }
  }

  /** Sends no requests for an account that was paid through another provider: its messages wait until that provider is configured again. */
  async function mustBeOurs(team_id: string): Promise<void> {
    const own = await orders.providerOf(team_id);
    if (own !== null && own !== provider.id) throw new PaymentUnavailable(`The account is paid through ${own}, which is not set up here.`);
  }

  async function callProvider(team_id: string, asked: OutboxMessage): Promise<void> {
    switch (asked.kind) {
      case 'charge': {
        const told = await charge(team_id, asked);
        // failpoint: charge-answered
        return news({ team_id, invoice_id: asked.invoice_id }, told);
      }
      case 'void':
        await provider.void({ team_id, invoice_id: asked.invoice_id, key: asked.key });
        // It may have been paid before: that money belongs to the team.
        return news({ team_id, invoice_id: asked.invoice_id }, await provider.retrievePayment({ team_id, invoice_id: asked.invoice_id }));
      case 'pay_back':
        return provider.refund({ team_id, payment_id: asked.payment_id, key: asked.key, cents: asked.cents });
      case 'forget':
        if (asked.provider === provider.id) await provider.deleteCustomer({ team_id, customer_id: asked.customer_id });
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
