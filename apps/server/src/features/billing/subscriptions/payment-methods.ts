import { ApiError, type PaymentMethod } from '@paddock/contract';
import { type PaymentProvider, PaymentRefused, PaymentUnavailable } from '../../../payments/provider.ts';
import type { Customer, CustomerStore } from './store.ts';

export type PaymentMethods = ReturnType<typeof paymentMethods>;

/** Payment methods of teams: attached at the provider, and saved. */
export function paymentMethods(store: CustomerStore, provider: PaymentProvider) {
  /** The provider's customer of a team, created on first use. */
  async function customer(team_id: string): Promise<Customer> {
    const known = await store.find(team_id);
    if (known) return known;
    await store.add(team_id, await provider.customer({ team_id, ...(await store.payer(team_id)) }));
    return (await store.find(team_id))!;
  }

  return {
    find: store.find,
    customer,
    /** Checks a payment method and attaches it to the customer at the provider; `save` stores it. Throws the provider's error. */
    async attach(team_id: string, payment_method_id: string): Promise<PaymentMethod> {
      const { customer_id } = await customer(team_id);
      return provider.attach({ team_id, customer_id }, payment_method_id);
    },
    save: store.save,
  };
}

/** Converts the provider's errors to API errors. */
export async function toApiErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof PaymentRefused) throw new ApiError('payment_method_refused', { detail: error.message, cause: error });
    if (error instanceof PaymentUnavailable) throw new ApiError('payment_provider_unavailable', { cause: error });
    throw error;
  }
}
