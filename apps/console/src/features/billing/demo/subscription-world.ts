import { findPeriod } from '@paddock/billing/period';
import { prorate } from '@paddock/billing/proration';
import type { BillingNotice, BillingState, Quote, RunningPayment } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import { type PlanId, plans } from '@paddock/contract/plans';
import { testPaymentMethods } from '@paddock/contract/test-payment-methods';
import { iso } from '@paddock/contract/time';
import { freshId, sampleId } from '../../../demo/ids.ts';
import { dateText, priceText } from '../words.ts';

type Paying = Pick<RunningPayment, 'state' | 'amount'> & { plan: PlanId; since: number };
/** When the current period began, and the amount paid for it. */
type Renewal = { renewedAt: number; paid: number; clock?: () => number };
export type SubscriptionWorld = ReturnType<typeof subscriptionWorld>;

/** How long a payment with the slow method takes, and how long a confirmation is awaited. */
const laterMs = 5000;
const waitMs = 23 * 3_600_000;
const cents = (dollars: number) => Math.round(dollars * 100) / 100;

/**
 * The subscription of the demo, paid through the test provider. It began some days ago, so a switch is prorated, as on a server. A demo
 * does not last until the period ends, so nothing is renewed.
 */
export function subscriptionWorld(person: { user: { plan: string } }, { renewedAt, paid, clock = Date.now }: Renewal) {
  const anchor = renewedAt;
  const world = {
    plan: 'pro' as PlanId,
    isEnding: false,
    method: findTestPaymentMethod('pm_card_visa'),
    paying: undefined as Paying | undefined,
    credit: 0,
    notices: [] as BillingNotice[],
  };
  function tell(text: string, is_problem = false, at = clock()) {
    world.notices = [{ id: freshId('bln'), kind: 'demo', at: iso(at), text, is_problem }, ...world.notices].slice(0, 20);
  }
  tell(
    `The Pro plan is paid until ${dateText(iso(findPeriod(anchor, anchor).end))}. ${priceText(paid)} were paid with Visa ending in 4242.`,
    false,
    anchor,
  );

  function quote(plan: PlanId): Quote {
    if (world.paying) throw new ApiError('payment_running');
    if (plan === world.plan) throw new ApiError(world.isEnding ? 'cancel_pending' : 'plan_is_current');
    return {
      ...quotePlanChange(world.plan, plan, { anchor, at: clock(), credit: world.credit }),
      plan,
      undoes_cancellation: world.isEnding,
    };
  }

  function take(plan: PlanId, { paid, credit }: { paid: number; credit: number }) {
    const resumed = world.isEnding ? ' The cancellation is taken back.' : '';
    Object.assign(world, { plan, credit: cents(credit), paying: undefined, isEnding: false });
    person.user.plan = plan;
    tell(`Your ${plans[plan].name} plan is active.${paid > 0 ? ` ${priceText(paid)} were paid.` : ''}${resumed}`);
  }

  /** Completes the pending payment, which has used up the credit. */
  function settle() {
    if (world.paying) take(world.paying.plan, { paid: world.paying.amount, credit: 0 });
  }

  function decline(reason: string): never {
    world.paying = undefined;
    tell(`The payment was declined: ${reason} Your plan is as before.`, true);
    throw new ApiError('payment_declined', {
      detail: `The payment was declined: ${reason} You were not charged, and your plan is unchanged.`,
    });
  }

  return Object.assign(world, {
    quote,
    settle,
    decline,
    /** Switches the plan and charges the cost, with the outcome of the test payment method. */
    change(plan: PlanId) {
      const { due_now, credited, credit_used } = quote(plan);
      const { outcome, reason = '' } = world.method;
      if (due_now === 0 || outcome === 'pays') take(plan, { paid: due_now, credit: world.credit + credited - credit_used });
      else if (outcome === 'declines') decline(reason);
      else world.paying = { plan, amount: due_now, since: clock(), state: outcome === 'confirms' ? 'needs_confirmation' : 'running' };
    },
    /** The state in the API's format. */
    state(): BillingState {
      if (world.paying?.state === 'running' && clock() - world.paying.since >= laterMs) settle();
      const { start, end } = findPeriod(anchor, clock());
      const bounds = { current_period_start: iso(start), current_period_end: iso(end) };
      const { plan, isEnding, paying, credit, notices, method } = world;
      const { id, brand, last4 } = method;
      return {
        subscription: {
          ...{ id: sampleId('sub', 1), plan, status: 'active', ...bounds },
          ...{ cancel_at_period_end: isEnding, payment_method_id: id },
        },
        ...bounds,
        payment: paying ? toRunningPayment(paying) : null,
        payment_method: { id, brand, last4, exp_month: null, exp_year: null },
        credit,
        notices,
        provider: 'test',
        is_test: true,
      };
    },
  });
}

/** Prorates the rest of the period on both plans. The demo's invoices have no tax. */
export function quotePlanChange(from: PlanId, to: PlanId, { anchor, at, credit }: { anchor: number; at: number; credit: number }) {
  const period = findPeriod(anchor, at);
  const worth = (plan: PlanId) => prorate(plans[plan].price_cents, { period, at }) / 100;
  const difference = cents(worth(to) - worth(from));
  const credit_used = Math.min(credit, Math.max(0, difference));
  return {
    kind: difference < 0 ? ('downgrade' as const) : ('upgrade' as const),
    lines: [
      { text: `Unused time on ${plans[from].name}`, amount: -worth(from) },
      { text: `Remaining time on ${plans[to].name}`, amount: worth(to) },
    ],
    credit_used,
    tax: 0,
    tax_percent: 0,
    due_now: cents(Math.max(0, difference) - credit_used),
    credited: Math.max(0, -difference),
    next_amount: plans[to].price_cents / 100,
    next_at: iso(period.end),
  };
}

const toRunningPayment = ({ since, ...of }: Paying): RunningPayment => ({
  ...of,
  purpose: 'switch',
  reason: null,
  next_try_at: null,
  ends_at: iso(since + waitMs),
});

/** Throws the server's error for an unknown test payment method. */
export function findTestPaymentMethod(id: string) {
  const found = testPaymentMethods.find((each) => each.id === id);
  if (!found) throw new ApiError('payment_method_refused');
  return found;
}
