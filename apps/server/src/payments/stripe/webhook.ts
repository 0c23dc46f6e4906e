import type { Stripe } from 'stripe';
import * as z from 'zod';
import type { WebhookEvent } from '../provider.ts';
import { WebhookRefused } from '../provider.ts';
import type { StripePaymentStore } from './payment-store.ts';

/** Older events are refused, because they may be replayed copies. */
const toleranceSeconds = 300;

const Event = z.object({
  id: z.string().max(255),
  type: z.string(),
  livemode: z.boolean(),
  data: z.object({ object: z.looseObject({ id: z.string().max(255).optional() }) }),
});
const SetupIntent = z.object({ payment_method: z.string().max(255), metadata: z.object({ team_id: z.string().max(100) }) });

interface Deps {
  client: Stripe;
  secret: string;
  isTest: boolean;
  store: StripePaymentStore;
}
interface Webhook {
  body: Buffer;
  signature: string | undefined;
  now: Date;
}

/** Reads a signed event of Stripe. Only ids are taken from it: the state is read from Stripe. */
export async function readWebhook({ client, secret, isTest, store }: Deps, webhook: Webhook): Promise<WebhookEvent> {
  const event = Event.safeParse(signed(client, secret, webhook));
  if (!event.success) throw new WebhookRefused('The body is no event of Stripe.');
  const { id, type, livemode, data } = event.data;
  const nothing: WebhookEvent = { id, about: 'nothing' };
  if (livemode === isTest) return nothing; // of the account's other mode
  if (type.startsWith('payment_intent.')) {
    const payment = await store.byIntent(data.object.id ?? '');
    return payment ? { id, about: 'payment', team_id: payment.team_id, invoice_id: payment.invoice_id } : nothing;
  }
  const entered = type === 'setup_intent.succeeded' ? SetupIntent.safeParse(data.object) : undefined;
  if (!entered?.success) return nothing;
  return { id, about: 'payment_method', team_id: entered.data.metadata.team_id, payment_method_id: entered.data.payment_method };
}

function signed({ webhooks }: Stripe, secret: string, { body, signature, now }: Webhook): unknown {
  try {
    return webhooks.constructEvent(body, signature ?? '', secret, toleranceSeconds, undefined, now.getTime());
  } catch {
    // The library's error contains the body.
    throw new WebhookRefused(
      'The Stripe-Signature header does not fit the body and PADDOCK_STRIPE_WEBHOOK_SECRET, or is older than 5 minutes.',
    );
  }
}
