import type { Stripe } from 'stripe';
import type { Payer, PaymentProvider } from '../provider.ts';
import { createCharges, type StripeParts } from './charges.ts';
import { isCode } from './errors.ts';
import { deriveKey } from './keys.ts';
import { readAttempt, toPaymentStatus } from './payment-status.ts';
import type { StripePayment } from './payment-store.ts';
import { webAddress } from './web-address.ts';

/** The provider's functions for payments of invoices. */
export function stripePayments(parts: StripeParts): Pick<PaymentProvider, 'charge' | 'retrievePayment' | 'confirm' | 'void'> {
  const { stripe, store, translate } = parts;
  const { tryCard, retrieve, newsOfError } = createCharges(parts);

  return {
    charge: (payer, charge) =>
      translate(async () => {
        const row = await store.findOrMake({ team_id: payer.team_id, invoice_id: charge.invoice_id });
        if (row.refused_attempt === charge.attempt) return { state: 'declined', attempt: charge.attempt, reason: row.refusal ?? '' };
        if (row.is_void && row.intent_id === null) return { state: 'void' };
        const news = await tryCard(row, payer, charge).catch((error: unknown) => newsOfError(error, row, charge.attempt));
        return news;
      }),

    retrievePayment: (payment) =>
      translate(async () => {
        const row = await store.find(payment);
        if (row && row.intent_id !== null) return toPaymentStatus(await retrieve(row.intent_id), row);
        if (row?.is_void) return { state: 'void' };
        if (typeof row?.refused_attempt !== 'number') return { state: 'none' };
        return { state: 'declined', attempt: row.refused_attempt, reason: row.refusal ?? '' };
      }),

    confirm: (payer, { back }) =>
      translate(async () => {
        const row = await store.find(payer);
        if (!row || row.intent_id === null) return { news: { state: 'none' }, url: null };
        const intent = await retrieve(row.intent_id);
        const news = toPaymentStatus(intent, row);
        if (news.state !== 'needs_confirmation') return { news, url: null };
        const url = findBankPage(intent);
        if (url !== null) return { news, url };
        return askPerson(row, { intent, payer, back }).catch(async (error: unknown) => ({
          news: await newsOfError(error, row, readAttempt(intent)),
          url: null,
        }));
      }),

    void: (payment) =>
      translate(async () => {
        const id = await store.noteVoid(payment);
        if (id === null) return;
        try {
          await (await stripe()).paymentIntents.cancel(id);
        } catch (error) {
          // Already paid or void; the status is retrieved below.
          if (!isCode(error, 'payment_intent_unexpected_state')) throw error;
        }
      }),
  };

  async function askPerson(row: StripePayment, { intent, payer, back }: { intent: Stripe.PaymentIntent; payer: Payer; back: string }) {
    const failed = intent.last_payment_error?.payment_method?.id;
    const payment_method = failed ?? payer.payment_method_id;
    const asked = await (await stripe()).paymentIntents.confirm(
      intent.id,
      { payment_method, return_url: back, use_stripe_sdk: false },
      { idempotencyKey: deriveKey('ask', row.invoice_id, readAttempt(intent), payment_method, back, row.failures) },
    );
    return { news: toPaymentStatus(asked, row), url: findBankPage(asked) };
  }
}

/** The bank's page. Only a web address is ever passed to a person. */
function findBankPage({ status, next_action }: Stripe.PaymentIntent): string | null {
  const url = status === 'requires_action' ? next_action?.redirect_to_url?.url : undefined;
  return url ? webAddress(url) : null;
}
