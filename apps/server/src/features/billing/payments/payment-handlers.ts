import type { BillingEvent } from '@paddock/billing';
import { ApiError, type BillingState, type billing } from '@paddock/contract';
import { recordAction } from '../../../audit/record-action.ts';
import type { Handlers } from '../../../http/serve.ts';
import type { AccountRow } from '../account/rows.ts';
import type { BillingDeps } from '../billing-deps.ts';
import { declinedError } from '../refusal.ts';
import { asked } from './payment-methods.ts';

type Calls = Pick<Handlers<typeof billing>, 'setPaymentMethod' | 'startPaymentMethod' | 'confirmPayment'>;
type Show = (team_id: string, row?: AccountRow) => Promise<BillingState>;

interface Deps extends BillingDeps {
  /** Throws payment_provider_changed. */
  mustBePaidHere: (team_id: string) => Promise<void>;
}

/** The calls for a team's payment method, and for payments that wait for a person. */
export function paymentHandlers(deps: Deps, show: Show): Calls {
  const { store, methods, provider, handle, handOverNow, news, publicUrl, now, mustBePaidHere } = deps;
  return {
    async setPaymentMethod({ payment_method_id }, { actor: { team_id }, newId }) {
      await mustBePaidHere(team_id);
      const method = await asked(methods.attach(team_id, payment_method_id));
      const at = now();
      const event: BillingEvent = { id: newId('sub'), at: at.getTime(), name: 'payment_method_changed' };
      await handle(team_id, { event: () => event, alsoWrite: async (tx) => methods.save(tx, team_id, { method, at }), isOfPerson: true });
      return show(team_id, await handOverNow(team_id));
    },

    async startPaymentMethod(_input, { actor: { team_id } }) {
      await mustBePaidHere(team_id);
      const left = `${publicUrl}/settings?tab=billing`;
      const { customer_id } = await asked(methods.customer(team_id));
      const url = await asked(provider.createSetupSession({ team_id, customer_id }, { done: `${left}&payment_method=saved`, left }));
      if (url === undefined) throw new ApiError('payment_page_missing');
      return { url };
    },

    async confirmPayment({ outcome }, { actor: { team_id } }) {
      await mustBePaidHere(team_id);
      const { payment } = await store.read(team_id);
      const customer = await methods.find(team_id);
      if (payment?.state !== 'needs_confirmation' || !customer?.payment_method) throw new ApiError('payment_not_waiting');
      const { invoice_id } = payment;
      await store.begin((tx) => recordAction(tx, team_id));
      const payer = { team_id, customer_id: customer.customer_id, payment_method_id: customer.payment_method.id, invoice_id };
      const confirmed = await asked(provider.confirm(payer, { outcome, back: `${publicUrl}/billing` }));
      await news({ team_id, invoice_id }, confirmed.news);
      const row = await handOverNow(team_id);
      if (confirmed.news.state === 'declined') throw declinedError(confirmed.news.reason);
      return { ...(await show(team_id, row)), url: confirmed.url };
    },
  };
}
