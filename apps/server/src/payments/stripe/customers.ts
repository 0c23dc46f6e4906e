import type { Stripe } from 'stripe';
import { type PaymentProvider, PaymentRefused } from '../provider.ts';
import type { StripeParts } from './charges.ts';
import { isCode, isFailure, isRefusal } from './errors.ts';
import { deriveKey } from './keys.ts';
import { webAddress } from './web-address.ts';

type Customers = Pick<PaymentProvider, 'customer' | 'attach' | 'createSetupSession' | 'refund' | 'deleteCustomer'>;

/** Customers, their cards, and refunds. */
export function stripeCustomers({ stripe, store, translate }: StripeParts): Customers {
  /** Makes the card the customer's. Cards entered on Stripe's page already belong to one customer; Stripe's test methods belong to nobody. */
  async function claim(customer: string, id: string): Promise<Stripe.PaymentMethod> {
    const { paymentMethods } = await stripe();
    const isTestMethod = id.startsWith('pm_card_');
    const method = isTestMethod ? undefined : await paymentMethods.retrieve(id);
    const owner = findOwner(method);
    if (method && owner === customer) return method;
    if (owner !== null) throw new PaymentRefused('This payment method belongs to another customer.');
    return paymentMethods.attach(id, { customer });
  }

  /** A customer has one card. Older ones are detached for good, so that late or repeated events about them have no effect. */
  async function dropOlder(customer: string, { id, created }: Stripe.PaymentMethod) {
    const { paymentMethods } = await stripe();
    const { data } = await paymentMethods.list({ customer, type: 'card', limit: 100 });
    for (const each of data) if (each.id !== id && each.created < created) await paymentMethods.detach(each.id).catch(ignoreRefusal);
  }

  /** Amount already refunded under this key, without failed refunds. */
  async function readRefunds(payment_intent: string, key: string) {
    const { data } = await (await stripe()).refunds.list({ payment_intent, limit: 100 });
    const ours = data.filter(({ metadata }) => metadata?.key === key);
    return { isDone: ours.some(({ status }) => status !== 'failed' && status !== 'canceled'), failed: ours.length };
  }

  return {
    customer: ({ team_id, name, email }) =>
      translate(async () => {
        const about = { name: name.slice(0, 256), email };
        const idempotencyKey = deriveKey('customer', team_id, about.name, email);
        const { id } = await (await stripe()).customers.create({ ...about, metadata: { team_id } }, { idempotencyKey });
        return id;
      }),

    attach: ({ customer_id }, payment_method_id) =>
      translate(async () => {
        const method = await claim(customer_id, payment_method_id);
        const { id, card } = method;
        if (!card) throw new PaymentRefused('Only cards are taken.');
        await dropOlder(customer_id, method);
        return { id, brand: card.brand, last4: card.last4, exp_month: card.exp_month, exp_year: card.exp_year };
      }),

    createSetupSession: ({ team_id, customer_id }, { done, left }) =>
      translate(async () => {
        const { url } = await (await stripe()).checkout.sessions.create({
          mode: 'setup',
          currency: 'usd',
          customer: customer_id,
          client_reference_id: team_id,
          allowed_payment_method_types: ['card'],
          success_url: done,
          cancel_url: left,
          setup_intent_data: { metadata: { team_id } },
        });
        return webAddress(url ?? '');
      }),

    refund: ({ payment_id, key, cents }) =>
      translate(async () => {
        const { isDone, failed } = await readRefunds(payment_id, deriveKey(key));
        if (isDone) return;
        const payment = await store.byIntent(payment_id);
        const asked = { payment_intent: payment_id, amount: cents, metadata: { key: deriveKey(key) } };
        try {
          await (await stripe()).refunds.create(asked, { idempotencyKey: deriveKey('back', key, failed, payment?.failures ?? 0) });
        } catch (error) {
          if (payment && isFailure(error)) await store.noteFailure(payment);
          if (!isCode(error, 'charge_already_refunded')) throw error;
        }
      }),

    deleteCustomer: ({ customer_id }) =>
      translate(async () => {
        await (await stripe()).customers.del(customer_id).catch(ignoreRefusal);
      }),
  };
}

function findOwner(method: Stripe.PaymentMethod | undefined): string | null {
  const owner = method?.customer ?? null;
  return typeof owner === 'string' || owner === null ? owner : owner.id;
}

/** Ignores that the object no longer exists. */
function ignoreRefusal(error: unknown) {
  if (!isRefusal(error)) throw error;
}
