import type { Stripe } from 'stripe';
import type { PaymentStatus } from '../provider.ts';
import { sentenceOf } from './errors.ts';
import type { StripePayment } from './payment-store.ts';

/** The attempt that the payment was last confirmed for, or is about to be. Stripe clears the error of the previous attempt when this is written. */
export const readAttempt = ({ metadata }: Stripe.PaymentIntent): number => Number(metadata.attempt ?? 0);

/** Converts Stripe's payment. An attempt that was stored but not confirmed has no result. */
export function toPaymentStatus(intent: Stripe.PaymentIntent, { refused_attempt, refusal }: StripePayment): PaymentStatus {
  const attempt = readAttempt(intent);
  switch (intent.status) {
    case 'succeeded':
      return { state: 'paid', payment_id: intent.id, cents: intent.amount_received };
    case 'canceled':
      return { state: 'void' };
    case 'processing':
    case 'requires_capture':
      return { state: 'running', attempt };
    case 'requires_action':
      return { state: 'needs_confirmation', attempt };
    case 'requires_confirmation':
    case 'requires_payment_method':
      break;
  }
  if (refused_attempt !== null && refused_attempt >= attempt) return { state: 'declined', attempt: refused_attempt, reason: refusal ?? '' };
  const { last_payment_error: error } = intent;
  if (!error) return { state: 'none' };
  // The bank requires the person's confirmation: the card is not at fault.
  if (error.code === 'authentication_required') return { state: 'needs_confirmation', attempt };
  return { state: 'declined', attempt, reason: sentenceOf(error) };
}
