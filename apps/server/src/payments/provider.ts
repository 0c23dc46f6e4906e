import type { PaymentMethod } from '@paddock/contract';

/** Current status of an invoice's payment at the provider. `attempt` is that of the last charge with a response. */
export type PaymentStatus =
  | { state: 'none' }
  | { state: 'running'; attempt: number }
  | { state: 'paid'; payment_id: string; cents: number }
  | { state: 'declined'; attempt: number; reason: string }
  | { state: 'needs_confirmation'; attempt: number }
  | { state: 'void' };

/** `key` makes a charge idempotent: it is executed once per key. */
export interface Charge {
  key: string;
  invoice_id: string;
  attempt: number;
  cents: number;
  /** Description that the payer sees beside the amount. */
  text: string;
}

/** The payer and the payment method, by the provider's ids. */
export interface Payer {
  team_id: string;
  customer_id: string;
  payment_method_id: string;
}

/** A webhook event names only the changed payment or payment method. The status is retrieved, so forged or old events have no effect. */
export type WebhookEvent = { id: string } & (
  | { about: 'payment'; team_id: string; invoice_id: string }
  | { about: 'payment_method'; team_id: string; payment_method_id: string }
  | { about: 'nothing' }
);

export type ProviderId = 'test' | 'stripe_test' | 'stripe';

/**
 * A payment provider. Each invoice has one payment with any number of attempts: it succeeds at most once, and never after it is void. Every call may
 * be repeated. Throws `PaymentUnavailable` if the provider does not answer, so that the caller retries, and `PaymentRefused` for requests that it will
 * never accept.
 */
export interface PaymentProvider {
  name: 'test' | 'stripe';
  /** Only payments with this id count as paid: one with another id was made at another provider or account, or without money. */
  id: ProviderId;
  /** True if no money moves. */
  is_test: boolean;
  /** The provider is polled for a payment's result after this long without a webhook event, then after pauses that double. */
  pollAfterMs: number;
  /** The customer of a team; created at the first call. */
  customer(team: { team_id: string; name: string; email: string }): Promise<string>;
  /** Checks a payment method, and makes it the customer's. Throws `PaymentRefused` for one that it does not know. */
  attach(customer: { team_id: string; customer_id: string }, payment_method_id: string): Promise<PaymentMethod>;
  /** The page on which a card is entered; undefined if there is none. */
  createSetupSession(customer: { team_id: string; customer_id: string }, back: { done: string; left: string }): Promise<string | undefined>;
  charge(payer: Payer, charge: Charge): Promise<PaymentStatus>;
  /** The payment's current status: called after a webhook, and to poll when no webhook arrived. */
  retrievePayment(payment: { team_id: string; invoice_id: string }): Promise<PaymentStatus>;
  /** A person confirms (or, at the test provider, refuses) a payment: the result, and the page to which the person is sent. */
  confirm(
    payment: Payer & { invoice_id: string },
    how: { outcome: 'confirm' | 'refuse'; back: string },
  ): Promise<{ news: PaymentStatus; url: string | null }>;
  void(payment: { team_id: string; invoice_id: string; key: string }): Promise<void>;
  refund(payment: { team_id: string; payment_id: string; key: string; cents: number }): Promise<void>;
  /** Removes the provider's data of a deleted team, as far as possible. */
  deleteCustomer(customer: { team_id: string; customer_id: string }): Promise<void>;
  /** Parses a webhook's raw body. Throws `WebhookRefused` if its signature is invalid or too old. */
  hint(body: Buffer, headers: { signature: string | undefined }, now: Date): Promise<WebhookEvent>;
}

export class PaymentUnavailable extends Error {
  override name = 'PaymentUnavailable';
}
/** `message` is a sentence for the person. */
export class PaymentRefused extends Error {
  override name = 'PaymentRefused';
}
export class WebhookRefused extends Error {
  override name = 'WebhookRefused';
}
