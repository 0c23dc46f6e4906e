import { nextDeadline, runningPeriod } from '@paddock/billing';
import type { BillingNotice, BillingState, PaymentMethod, RunningPayment, Subscription } from '@paddock/contract';
import { iso } from '@paddock/contract/time';
import { endsAt, resolvePurpose } from './notices.ts';
import type { AccountRow } from './store.ts';

interface StateInput {
  payment_method: PaymentMethod | null;
  notices: BillingNotice[];
  provider: { name: BillingState['provider']; is_test: boolean };
}

/** The account's state for display. */
export function toBillingState(row: AccountRow, { payment_method, notices, provider }: StateInput): BillingState {
  const subscription = toSubscription(row, payment_method);
  return {
    subscription,
    current_period_start: subscription?.current_period_start ?? null,
    current_period_end: subscription?.current_period_end ?? null,
    payment: toRunningPayment(row),
    payment_method,
    credit: row.account.credit_cents / 100,
    notices,
    provider: provider.name,
    is_test: provider.is_test,
  };
}

/**
 * The same for an API key: no scope covers the payer, so the method, the bank's messages and notices (which quote both) are only shown to people.
 */
export function withoutPayer(state: BillingState): BillingState {
  const { subscription, payment } = state;
  return {
    ...state,
    subscription: subscription && { ...subscription, payment_method_id: null },
    payment: payment && { ...payment, reason: null },
    payment_method: null,
    notices: [],
  };
}

function toSubscription({ account, subscription_id }: AccountRow, method: PaymentMethod | null): Subscription | null {
  const period = runningPeriod(account);
  if (account.plan === null || !period || subscription_id === null) return null;
  return {
    id: subscription_id,
    plan: account.plan,
    status: account.status === 'past_due' ? 'past_due' : 'active',
    current_period_start: iso(period.start),
    current_period_end: iso(period.end),
    cancel_at_period_end: isCancelled(account),
    payment_method_id: method?.id ?? null,
  };
}

/** A cancellation is pending, also while a payment is in progress that would revoke it. */
export const isCancelled = ({ status }: AccountRow['account']) => status === 'cancelling' || status === 'resuming';

function toRunningPayment({ account, payment }: AccountRow): RunningPayment | null {
  const { open, status } = account;
  if (open === null) return null;
  const due = nextDeadline(account);
  const ends = endsAt(account);
  return {
    state: stateOfPayment(payment?.invoice_id === open.id ? payment.state : 'running', status),
    purpose: resolvePurpose(account),
    plan: status === 'owing' ? null : (account.wanted ?? account.plan),
    amount: open.bill.due_cents / 100,
    reason: payment?.invoice_id === open.id ? payment.reason : null,
    next_try_at: due?.name === 'retry_due' ? iso(due.at) : null,
    ends_at: ends === null ? null : iso(ends),
  };
}

function stateOfPayment(
  state: NonNullable<AccountRow['payment']>['state'],
  status: AccountRow['account']['status'],
): RunningPayment['state'] {
  if (state === 'declined') return status === 'owing' ? 'unpaid' : 'declined';
  return state === 'needs_confirmation' ? state : 'running';
}
