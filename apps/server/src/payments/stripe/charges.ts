import type { Stripe } from 'stripe';
import type { Charge, Payer, PaymentStatus } from '../provider.ts';
import type { StripeClient } from './client.ts';
import { isCode, isFailure, isRefusal, isStripeError, type MapErrors, sentenceOf } from './errors.ts';
import { deriveKey } from './keys.ts';
import { readAttempt, toPaymentStatus } from './payment-status.ts';
import type { StripePayment, StripePaymentStore } from './payment-store.ts';

export interface StripeParts {
  stripe: StripeClient;
  store: StripePaymentStore;
  translate: MapErrors;
}

/**
 * Payments of invoices: one PaymentIntent each, whose id is stored before its first confirmation. It can succeed at most once, so no repeat charges
 * twice, even when Stripe's idempotency keys, which last for a day, have expired.
 */
export function createCharges({ stripe, store }: StripeParts) {
  const retrieve = async (id: string) => (await stripe()).paymentIntents.retrieve(id);

  async function ensureIntent(row: StripePayment, payer: Payer, { cents, text }: Charge): Promise<Stripe.PaymentIntent | undefined> {
    if (row.intent_id !== null) return retrieve(row.intent_id);
    const { team_id, invoice_id } = row;
    const made = await (await stripe()).paymentIntents.create(
      {
        amount: cents,
        currency: 'usd',
        customer: payer.customer_id,
        allowed_payment_method_types: ['card'],
        description: text,
        metadata: { team_id, invoice_id: invoice_id.slice(0, 500), attempt: 0 },
      },
      { idempotencyKey: deriveKey('intent', team_id, invoice_id, row.failures) },
    );
    const kept = await store.noteIntent(row, made.id);
    // An intent whose id is not stored is never confirmed and has no effect.
    if (kept === undefined) return undefined;
    return kept === made.id ? made : retrieve(kept);
  }

  async function tryCard(row: StripePayment, payer: Payer, charge: Charge): Promise<PaymentStatus> {
    const intent = await ensureIntent(row, payer, charge);
    if (!intent) return { state: 'void' };
    const before = toPaymentStatus(intent, row);
    const isTried = readAttempt(intent) === charge.attempt && before.state !== 'none';
    if (isTried || before.state === 'paid' || before.state === 'void' || before.state === 'running') return before;
    const { payment_method_id: payment_method } = payer;
    const { paymentIntents } = await stripe();
    // The attempt is written before the confirmation, so that an attempt's result is never taken for that of the previous one.
    await paymentIntents.update(intent.id, { payment_method, metadata: { attempt: charge.attempt } });
    const idempotencyKey = deriveKey('confirm', charge.key, payment_method, row.failures);
    return toPaymentStatus(await paymentIntents.confirm(intent.id, { payment_method, off_session: true }, { idempotencyKey }), row);
  }

  /** The payment status that an error implies; rethrows the error if it implies none. */
  async function newsOfError(error: unknown, row: StripePayment, attempt: number): Promise<PaymentStatus> {
    if (isFailure(error)) await store.noteFailure(row);
    if (!isStripeError(error)) throw error;
    const isCard = error.type === 'StripeCardError';
    if (isCard && error.payment_intent) return toPaymentStatus(error.payment_intent, row);
    const now = isCard || isCode(error, 'payment_intent_unexpected_state') ? await store.find(row) : undefined;
    if (now?.intent_id) return toPaymentStatus(await retrieve(now.intent_id), now);
    if (!isRefusal(error) && !isCard) throw error;
    const reason = sentenceOf(error);
    await store.noteRefusal(row, { attempt, reason });
    return { state: 'declined', attempt, reason };
  }

  return { tryCard, retrieve, newsOfError };
}
