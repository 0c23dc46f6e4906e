import type { Sql } from '../../db/connect.ts';
import type { Log } from '../../log.ts';
import type { PaymentProvider } from '../provider.ts';
import type { StripeSettings } from '../settings.ts';
import { stripeClient } from './client.ts';
import { stripeCustomers } from './customers.ts';
import { createErrorMapper } from './errors.ts';
import { stripePaymentStore } from './payment-store.ts';
import { stripePayments } from './payments.ts';
import { readWebhook } from './webhook.ts';

/** Webhooks bring results within seconds; polling is for those that are lost. */
const pollAfterMs = 120_000;

interface Deps {
  sql: Sql;
  log: Log;
  /** Timeout of one attempt of a request. */
  timeoutMs?: number;
}

/** Payments through Stripe. Cards are entered on Stripe's own page, so that their numbers never reach this server. */
export function stripeProvider(settings: StripeSettings, { sql, log, timeoutMs }: Deps): PaymentProvider {
  const { secret_key, webhook_secret: secret } = settings;
  const isTest = secret_key.includes('_test_');
  const parts = { stripe: stripeClient(settings, timeoutMs), store: stripePaymentStore(sql), translate: createErrorMapper(log) };
  return {
    name: 'stripe',
    id: isTest ? 'stripe_test' : 'stripe',
    is_test: isTest,
    pollAfterMs,
    ...stripeCustomers(parts),
    ...stripePayments(parts),
    hint: async (body, { signature }, now) =>
      readWebhook({ client: await parts.stripe(), secret, isTest, store: parts.store }, { body, signature, now }),
  };
}
