import { type BillingEvent, documentId, type Outcome, type Refusal } from '@paddock/billing';
import { ApiError, type BillingState, billing } from '@paddock/contract';
import type { PlanId } from '@paddock/contract/plans';
import { recordAction } from '../../../audit/record-action.ts';
import type { Tx } from '../../../db/connect.ts';
import { type Handlers, serve } from '../../../http/serve.ts';
import type { PaymentProvider } from '../../../payments/provider.ts';
import type { ApplyEvent, EventRequest } from './apply-event.ts';
import { toBillingState, withoutPayer } from './billing-state.ts';
import type { NoticeStore } from './notice-store.ts';
import { toBillingNotice } from './notices.ts';
import type { DeliverAndWait } from './outbox.ts';
import { type PaymentMethods, toApiErrors } from './payment-methods.ts';
import { endsWhatWasPaid, isForeign } from './provider-change.ts';
import type { UpdatePayment } from './provider-events.ts';
import { previewSwitch } from './quote.ts';
import type { AccountRow, AccountStore, Terms } from './store.ts';

interface Deps {
  store: AccountStore;
  notices: NoticeStore;
  methods: PaymentMethods;
  provider: PaymentProvider;
  applyEvent: ApplyEvent;
  deliverAndWait: DeliverAndWait;
  updatePayment: UpdatePayment;
  terms: () => Terms;
  publicUrl: string;
  now: () => Date;
}
type PaymentCalls = Pick<Handlers<typeof billing>, 'setPaymentMethod' | 'startPaymentMethod' | 'confirmPayment'>;
type SubscriptionCalls = Omit<Handlers<typeof billing>, keyof PaymentCalls>;
type Action = { id: string } & ({ name: 'select' | 'switch'; plan: PlanId } | { name: 'cancel' | 'undo_cancel' });

export const billingRoutes = (deps: Deps) => serve(billing, { ...subscriptionHandlers(deps), ...paymentHandlers(deps) });

function subscriptionHandlers(deps: Deps): SubscriptionCalls {
  const { store, notices, methods, applyEvent, deliverAndWait, terms, now } = deps;

  function quote({ account }: AccountRow, plan: PlanId) {
    const preview = previewSwitch(account, { plan, at: now().getTime(), tax_basis_points: terms().tax_basis_points });
    if ('refused' in preview) throw refusal(preview.refused);
    return preview;
  }

  /** Applies a person's request, pays it, and returns the result. Throws payment_declined if the payment was declined. */
  async function applyAndCharge(team_id: string, action: Action, within?: EventRequest['within']): Promise<BillingState> {
    const event: BillingEvent = { at: now().getTime(), ...action };
    const applied = await applyEvent(team_id, {
      event(row) {
        if ('plan' in action) mustBePaidHere(deps, row);
        return event;
      },
      isOfPerson: true,
      within,
    });
    if (!applied) throw new ApiError('not_signed_in');
    if (applied.refused !== undefined) {
      const isFree = action.name === 'switch' && applied.row.account.plan === null;
      throw refusal(isFree ? 'no_subscription' : applied.refused);
    }
    const row = await deliverAndWait(team_id);
    const isOfEvent = row.payment?.invoice_id === documentId(team_id, event.id);
    if (isOfEvent && row.payment?.state === 'declined') throw declinedError(row.payment.reason);
    return showState(deps, team_id, row);
  }

  /** Throws payment_method_missing if something is charged and no method is saved. */
  const requirePaymentMethod = (team_id: string) => async (tx: Tx, outcome: Outcome) => {
    if (!outcome.commands.some(({ kind }) => kind === 'charge')) return;
    const customer = await methods.find(team_id, tx);
    if (!customer?.payment_method) throw new ApiError('payment_method_missing');
  };

  return {
    async subscription(_input, { actor }) {
      const state = await showState(deps, actor.team_id);
      return actor.key_id === null ? state : withoutPayer(state);
    },
    quote: async ({ plan }, { actor }) => quote(await store.read(actor.team_id), plan),

    async subscribe({ plan, payment_method_id }, { actor: { team_id }, newId }) {
      const action = { id: newId('sub'), name: 'select', plan } as const;
      const before = await store.read(team_id);
      mustBePaidHere(deps, before);
      // A repeated request has the id of the first one, which selected the plan already.
      if (before.subscription_id === action.id || before.account.open?.id === documentId(team_id, action.id))
        return showState(deps, team_id, await deliverAndWait(team_id));
      if (before.account.plan !== null) throw new ApiError('subscription_exists');
      // A selection that will be refused attaches no payment method.
      quote(before, plan);
      if (payment_method_id === '') return applyAndCharge(team_id, action, requirePaymentMethod(team_id));
      const method = await toApiErrors(methods.attach(team_id, payment_method_id));
      const at = now();
      return applyAndCharge(team_id, action, (tx) => methods.save(tx, team_id, { method, at }));
    },

    switch: ({ plan }, { actor: { team_id }, newId }) =>
      applyAndCharge(team_id, { id: newId('sub'), name: 'switch', plan }, requirePaymentMethod(team_id)),

    cancel: (_input, { actor, newId }) => applyAndCharge(actor.team_id, { id: newId('sub'), name: 'cancel' }),
    resume: (_input, { actor, newId }) => applyAndCharge(actor.team_id, { id: newId('sub'), name: 'undo_cancel' }),

    async dismissNotice({ id }, { actor }) {
      await notices.dismiss(actor.team_id, id);
      return null;
    },
  };
}

/** The calls for a team's payment method, and for payments that wait for a person. */
function paymentHandlers(deps: Deps): PaymentCalls {
  const { store, methods, provider, applyEvent, deliverAndWait, updatePayment, publicUrl, now } = deps;
  return {
    async setPaymentMethod({ payment_method_id }, { actor: { team_id }, newId }) {
      mustBePaidHere(deps, await store.read(team_id));
      const method = await toApiErrors(methods.attach(team_id, payment_method_id));
      const at = now();
      const event: BillingEvent = { id: newId('sub'), at: at.getTime(), name: 'payment_method_changed' };
      await applyEvent(team_id, { event: () => event, within: (tx) => methods.save(tx, team_id, { method, at }), isOfPerson: true });
      return showState(deps, team_id, await deliverAndWait(team_id));
    },

    async startPaymentMethod(_input, { actor: { team_id } }) {
      mustBePaidHere(deps, await store.read(team_id));
      const left = `${publicUrl}/settings?tab=billing`;
      const { customer_id } = await toApiErrors(methods.customer(team_id));
      const url = await toApiErrors(provider.createSetupSession({ team_id, customer_id }, { done: `${left}&payment_method=saved`, left }));
      if (url === undefined) throw new ApiError('payment_page_missing');
      return { url };
    },

    async confirmPayment({ outcome }, { actor: { team_id } }) {
      const before = await store.read(team_id);
      mustBePaidHere(deps, before);
      const { payment } = before;
      const customer = await methods.find(team_id);
      if (payment?.state !== 'needs_confirmation' || !customer?.payment_method) throw new ApiError('payment_not_waiting');
      const { invoice_id } = payment;
      await store.begin((tx) => recordAction(tx, team_id));
      const payer = { team_id, customer_id: customer.customer_id, payment_method_id: customer.payment_method.id, invoice_id };
      const { news: status, url } = await toApiErrors(provider.confirm(payer, { outcome, back: `${publicUrl}/billing` }));
      await updatePayment({ team_id, invoice_id }, status);
      const row = await deliverAndWait(team_id);
      if (status.state === 'declined') throw declinedError(status.reason);
      return { ...(await showState(deps, team_id, row)), url };
    },
  };
}

async function showState({ store, methods, notices, provider }: Deps, team_id: string, row?: AccountRow): Promise<BillingState> {
  const [account, customer, unread] = await Promise.all([row ?? store.read(team_id), methods.find(team_id), notices.unread(team_id)]);
  const payment_method = customer?.payment_method ?? null;
  return toBillingState(account, { payment_method, notices: unread.map(toBillingNotice), provider });
}

/** Throws payment_provider_changed for an account that was paid with money through a provider that this server lacks. */
function mustBePaidHere({ provider }: Pick<Deps, 'provider'>, row: AccountRow): void {
  if (isForeign(row, provider.id) && !endsWhatWasPaid(row, provider.id)) throw new ApiError('payment_provider_changed');
}

/** Refusals of events that no person causes. All others are errors of the contract with the same name. */
const internalRefusals = ['wrong_amount', 'nothing_owed', 'not_due', 'month_already_closed'] as const;
type UserRefusal = Exclude<Refusal, (typeof internalRefusals)[number]>;

const isUserFacing = (refused: Refusal): refused is UserRefusal => !internalRefusals.some((name) => name === refused);

/** The error for a refusal. */
function refusal(refused: Refusal): Error {
  return isUserFacing(refused) ? new ApiError(refused) : new TypeError(`What a person asked for was refused as ${refused}.`);
}

function declinedError(reason: string | null): ApiError {
  const why = reason === null ? '.' : `: ${reason.replace(/\.?$/, '.')}`;
  return new ApiError('payment_declined', { detail: `The payment was declined${why} You were not charged, and your plan is unchanged.` });
}
