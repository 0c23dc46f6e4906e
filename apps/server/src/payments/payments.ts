import type { Sql } from '../db/connect.ts';
import type { Log } from '../log.ts';
import type { PaymentProvider } from './provider.ts';
import type { StripeSettings } from './settings.ts';
import { stripeProvider } from './stripe/stripe-provider.ts';
import { testProvider } from './test-provider.ts';

interface Deps {
  config: { stripe: StripeSettings | undefined };
  sql: Sql;
  log: Log;
}

/** The payment provider of this installation: Stripe if configured, else the test provider without money, which may use billing's clock. */
export const paymentProvider = ({ config: { stripe }, sql, log }: Deps, now?: () => Date): PaymentProvider =>
  stripe ? stripeProvider(stripe, { sql, log }) : testProvider(sql, now);
