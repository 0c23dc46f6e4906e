import type { PaymentProvider, WebhookEvent } from '../../../payments/provider.ts';
import type { ApplyEvent } from '../account/apply-event.ts';
import type { AccountStore } from '../account/store.ts';
import type { DeliverOutbox } from './outbox.ts';
import type { PaymentMethods } from './payment-methods.ts';
import type { UpdatePayment } from './provider-events.ts';

interface Deps {
  store: Pick<AccountStore, 'begin'>;
  methods: PaymentMethods;
  provider: PaymentProvider;
  handle: ApplyEvent;
  handOver: DeliverOutbox;
  news: UpdatePayment;
  now: () => Date;
}

/** Polls the subject of a webhook event. The event itself is not trusted: it may be old, repeated or out of order. Throws the provider's errors. */
export function createWebhookHandler({
  store,
  methods,
  provider,
  handle,
  handOver,
  news,
  now,
}: Deps): (hint: WebhookEvent) => Promise<void> {
  return async (hint) => {
    if (hint.about === 'nothing') return;
    const { team_id } = hint;
    if (hint.about === 'payment') {
      const { invoice_id } = hint;
      await news({ team_id, invoice_id }, await provider.retrievePayment({ team_id, invoice_id }));
    } else {
      const customer = await methods.find(team_id);
      // A deleted or unknown team has no customer to attach the method to.
      if (!customer || customer.payment_method?.id === hint.payment_method_id) return;
      const method = await methods.attach(team_id, hint.payment_method_id);
      await store.begin((tx) => methods.save(tx, team_id, { method, at: now() }));
      await handle(team_id, { event: () => ({ id: `hint ${hint.id}`, at: now().getTime(), name: 'payment_method_changed' }) });
    }
    await handOver(team_id);
  };
}
