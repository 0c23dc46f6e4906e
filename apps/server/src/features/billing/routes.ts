import type { BillingEvent } from '@paddock/billing';
import { ApiError, type BillingState, billing } from '@paddock/contract';
import type { PlanId } from '@paddock/contract/plans';
import type { Tx } from '../../db/connect.ts';
import { type Handlers, serve } from '../../http/serve.ts';
import { endsWhatWasPaid, isForeign } from './account/provider-change.ts';
import type { AccountRow } from './account/rows.ts';
import type { BillingDeps } from './billing-deps.ts';
import { toBillingState, withoutPayer } from './billing-state.ts';
import { paymentHandlers } from './payments/payment-handlers.ts';
import { asked } from './payments/payment-methods.ts';
import { previewSwitch } from './quote.ts';
import { declinedError, refusal } from './refusal.ts';

type Act = ({ name: 'select' | 'switch'; plan: PlanId } | { name: 'cancel' | 'undo_cancel' }) & { also?: (tx: Tx) => Promise<unknown> };

function billingHandlers(parts: BillingDeps): Handlers<typeof billing> {
  const { store, notices, methods, provider, handle, handOverNow, now } = parts;

  async function show(team_id: string, row?: AccountRow): Promise<BillingState> {
    const [known, customer, shown] = await Promise.all([row ?? store.read(team_id), methods.find(team_id), notices.shown(team_id)]);
    return toBillingState(known, { payment_method: customer?.payment_method ?? null, notices: shown, provider });
  }

  async function quote(team_id: string, plan: PlanId) {
    const { account } = await store.read(team_id);
    const found = previewSwitch(account, { plan, at: now().getTime(), tax_basis_points: parts.terms().tax_basis_points });
    if ('refused' in found) throw refusal(found.refused);
    return found;
  }

  /** Applies a person's request, pays it, and returns the result. Throws payment_declined if the payment was declined. */
  async function applyAndCharge(team_id: string, id: string, { also, ...what }: Act): Promise<BillingState> {
    const event: BillingEvent = { id, at: now().getTime(), ...what };
    const handled = await handle(team_id, { event: () => event, isOfPerson: true, ...(also ? { alsoWrite: also } : {}) });
    if (!handled) throw new ApiError('not_signed_in');
    if (handled.refused !== undefined) throw refusal(handled.refused);
    const invoice_id = `${team_id} ${id}`;
    const row = await handOverNow(team_id);
    if (row.payment?.invoice_id === invoice_id && row.payment.state === 'declined') throw declinedError(row.payment.reason);
    return show(team_id, row);
  }

  return {
    async subscription(_input, { actor }) {
      const state = await show(actor.team_id);
      return actor.key_id === null ? state : withoutPayer(state);
    },
    quote: (input, { actor }) => quote(actor.team_id, input.plan),

    async subscribe({ plan, payment_method_id }, { actor: { team_id }, newId }) {
      const id = newId('sub');
      const before = await store.read(team_id);
      mustBePaidHere(before);
      // A repeated request has the id of the first one, which selected the plan already.
      if (before.subscription_id === id || before.account.open?.id === `${team_id} ${id}`) return show(team_id, await handOverNow(team_id));
      if (before.account.plan !== null) throw new ApiError('subscription_exists');
      const { due_now } = await quote(team_id, plan);
      if (payment_method_id === '') {
        if (due_now > 0) await requirePaymentMethod(team_id);
        return applyAndCharge(team_id, id, { name: 'select', plan });
      }
      const method = await asked(methods.attach(team_id, payment_method_id));
      const at = now();
      return applyAndCharge(team_id, id, { name: 'select', plan, also: async (tx) => methods.save(tx, team_id, { method, at }) });
    },

    async switch({ plan }, { actor: { team_id }, newId }) {
      const before = await store.read(team_id);
      mustBePaidHere(before);
      if (before.account.plan === null) throw new ApiError('no_subscription');
      const { due_now } = await quote(team_id, plan);
      if (due_now > 0) await requirePaymentMethod(team_id);
      return applyAndCharge(team_id, newId('sub'), { name: 'switch', plan });
    },

    cancel: (_input, { actor, newId }) => applyAndCharge(actor.team_id, newId('sub'), { name: 'cancel' }),
    resume: (_input, { actor, newId }) => applyAndCharge(actor.team_id, newId('sub'), { name: 'undo_cancel' }),

    ...paymentHandlers({ ...parts, mustBePaidHere: async (team_id) => mustBePaidHere(await store.read(team_id)) }, show),

    async dismissNotice({ id }, { actor }) {
      await notices.dismiss(actor.team_id, id);
      return null;
    },
  };

  /** Throws payment_provider_changed for an account that was paid with money through a provider that this server lacks. */
  function mustBePaidHere(row: AccountRow): void {
    if (isForeign(row, provider.id) && !endsWhatWasPaid(row, provider.id)) throw new ApiError('payment_provider_changed');
  }

  async function requirePaymentMethod(team_id: string): Promise<void> {
    const customer = await methods.find(team_id);
    if (!customer?.payment_method) throw new ApiError('payment_method_missing');
  }
}

export const billingRoutes = (parts: BillingDeps) => serve(billing, billingHandlers(parts));
