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

/** The provider through which this installation is paid: Stripe where it is configured, else the one without money, which may have billing's clock. */
export const paymentProvider = ({ config: { stripe }, sql, log }: Deps, now?: () => Date): PaymentProvider =>
  stripe ? stripeProvider(stripe, { sql, log }) : testProvider(sql, now);
