import type { PaymentMethod } from '@paddock/contract';

/** What the payment of one invoice has come to, as the provider tells it now. `attempt` is that of the last charge that it answered. */
export type PaymentStatus =
  | { state: 'none' }
  | { state: 'running'; attempt: number }
  | { state: 'paid'; payment_id: string; cents: number }
  | { state: 'declined'; attempt: number; reason: string }
  | { state: 'needs_confirmation'; attempt: number }
  | { state: 'void' };

/** `key` makes a charge safe to repeat: under one key the provider is asked once. */
export interface Charge {
  key: string;
  invoice_id: string;
  attempt: number;
  cents: number;
  /** What the payer reads beside the amount. */
  text: string;
}

/** Whom and with what: the provider's own ids. */
export interface Payer {
  team_id: string;
  customer_id: string;
  payment_method_id: string;
}

/** What a webhook says: only whose payment, or payment method, has changed. What it came to is asked for, so forged or old news change nothing. */
export type WebhookEvent = { id: string } & (
  | { about: 'payment'; team_id: string; invoice_id: string }
  | { about: 'payment_method'; team_id: string; payment_method_id: string }
  | { about: 'nothing' }
);

export type ProviderId = 'test' | 'stripe_test' | 'stripe';

/**
 * Through which money moves. One payment for each invoice, with as many tries as charges have attempts: it succeeds at most once, and not after it is void.
 * Every call may be repeated. Throws `PaymentUnavailable` where the provider does not answer, so that the caller tries again, and `PaymentRefused` for what
 * it will never accept.
 */
export interface PaymentProvider {
  name: 'test' | 'stripe';
  /** Whose payments count as paid: what was paid under another id was paid in another place, or without money. */
  id: ProviderId;
  /** No money moves. */
  is_test: boolean;
  /** The provider is polled for a payment's result after this long without a webhook event, then after pauses that double. */
  pollAfterMs: number;
  /** The customer of a team: made the first time. */
  customer(team: { team_id: string; name: string; email: string }): Promise<string>;
  /** Checks a payment method, and makes it the customer's. Throws `PaymentRefused` for one that it does not know. */
  attach(customer: { team_id: string; customer_id: string }, payment_method_id: string): Promise<PaymentMethod>;
  /** The page on which a card is entered; undefined where there is none. */
  createSetupSession(customer: { team_id: string; customer_id: string }, back: { done: string; left: string }): Promise<string | undefined>;
  charge(payer: Payer, charge: Charge): Promise<PaymentStatus>;
  /** The payment as it is now: after a webhook, and for payments whose news did not come. */
  retrievePayment(payment: { team_id: string; invoice_id: string }): Promise<PaymentStatus>;
  /** A person confirms (or, of the test provider, refuses): the news, and the page that the person goes to. */
  confirm(
    payment: Payer & { invoice_id: string },
    how: { outcome: 'confirm' | 'refuse'; back: string },
  ): Promise<{ news: PaymentStatus; url: string | null }>;
  void(payment: { team_id: string; invoice_id: string; key: string }): Promise<void>;
  refund(payment: { team_id: string; payment_id: string; key: string; cents: number }): Promise<void>;
  /** Removes what the provider keeps of a team that is gone, as far as it may. */
  deleteCustomer(customer: { team_id: string; customer_id: string }): Promise<void>;
  /** Reads a webhook's body of bytes as they came. Throws `WebhookRefused` for one that the provider did not sign, or too long ago. */
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
