import type { BillingEvent } from '@paddock/billing';
import type { Log } from '../../../log.ts';
import type { PaymentProvider, PaymentStatus, WebhookEvent } from '../../../payments/provider.ts';
import type { ApplyEvent } from './apply-event.ts';
import type { PaymentMethods } from './payment-methods.ts';
import type { AccountStore } from './store.ts';

interface PaymentRef {
  team_id: string;
  invoice_id: string;
}
export type UpdatePayment = (payment: PaymentRef, status: PaymentStatus) => Promise<void>;

/**
 * Applies the provider's payment states. They may arrive late, twice and in any order: their keys, and the number of the attempt, distinguish them.
 */
export function createPaymentUpdater({ applyEvent, log, now }: { applyEvent: ApplyEvent; log: Log; now: () => Date }): UpdatePayment {
  return async (payment, status) => {
    const applied = await applyEvent(payment.team_id, {
      reason: status.state === 'declined' ? status.reason : null,
      event({ account: { open } }) {
        const attempt = open?.id === payment.invoice_id ? open.attempt : 0;
        return toBillingEvent(payment, status, { at: now().getTime(), attempt });
      },
    });
    if (applied === undefined) log.error({ ...payment, news: status }, 'payment of an unknown team changed; check it at the provider');
    else if (applied.refused !== undefined)
      log.error({ ...payment, news: status, refused: applied.refused }, 'payment does not match the request; check it at the provider');
  };
}

/** Undefined for a state that decides nothing. */
function toBillingEvent(
  { invoice_id }: PaymentRef,
  status: PaymentStatus,
  { at, attempt }: { at: number; attempt: number },
): BillingEvent | undefined {
  switch (status.state) {
    case 'paid':
      return {
        id: `paid ${status.payment_id}`,
        at,
        name: 'payment_succeeded',
        invoice_id,
        payment_id: status.payment_id,
        cents: status.cents,
      };
    case 'declined':
      return { id: `declined ${status.attempt} ${invoice_id}`, at, name: 'payment_failed', invoice_id, attempt: status.attempt };
    case 'needs_confirmation':
      return {
        id: `unconfirmed ${status.attempt} ${invoice_id}`,
        at,
        name: 'payment_needs_confirmation',
        invoice_id,
        attempt: status.attempt,
      };
    case 'void':
      // If this is the open invoice, its payment was cancelled on the provider's side: no attempt can succeed.
      return attempt === 0 ? undefined : { id: `void ${attempt} ${invoice_id}`, at, name: 'payment_failed', invoice_id, attempt };
    default:
      return undefined;
  }
}

interface WebhookDeps {
  store: Pick<AccountStore, 'begin'>;
  methods: PaymentMethods;
  provider: PaymentProvider;
  applyEvent: ApplyEvent;
  deliverOutbox: (team_id: string) => Promise<void>;
  updatePayment: UpdatePayment;
  now: () => Date;
}
export type HandleWebhookEvent = (event: WebhookEvent) => Promise<void>;

/** Polls the subject of a webhook event. The event itself is not trusted: it may be old, repeated or out of order. Throws the provider's errors. */
export function createWebhookHandler(deps: WebhookDeps): HandleWebhookEvent {
  const { store, methods, provider, applyEvent, deliverOutbox, updatePayment, now } = deps;
  return async (event) => {
    if (event.about === 'nothing') return;
    const { team_id } = event;
    if (event.about === 'payment') {
      const { invoice_id } = event;
      await updatePayment({ team_id, invoice_id }, await provider.retrievePayment({ team_id, invoice_id }));
    } else {
      const customer = await methods.find(team_id);
      // A deleted or unknown team has no customer to attach the method to.
      if (!customer || customer.payment_method?.id === event.payment_method_id) return;
      const method = await methods.attach(team_id, event.payment_method_id);
      await store.begin((tx) => methods.save(tx, team_id, { method, at: now() }));
      await applyEvent(team_id, { event: () => ({ id: `hint ${event.id}`, at: now().getTime(), name: 'payment_method_changed' }) });
    }
    await deliverOutbox(team_id);
  };
}
