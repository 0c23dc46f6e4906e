import * as z from 'zod';
import { billingLimits } from './limits.ts';
import { id, nothing, timestamp } from './lists.ts';
import { planIds } from './plans.ts';
import { route } from './route.ts';

export const PaidPlan = z.enum(planIds);
const plan = PaidPlan;
const dollars = z.number().meta({ description: 'US dollars with two decimals' });
/** The provider's id: Stripe's ids, or those of its test methods. */
const paymentMethodId = z
  .string()
  .max(100)
  .regex(/^(?:pm_\w+)?$/, 'An id of a payment method, such as pm_card_visa, or nothing for the one that is saved.');

export const Subscription = z.object({
  id: id('sub'),
  plan,
  status: z.enum(['active', 'past_due']).meta({ description: 'past_due: the running period is not paid; the plan ends with its grace' }),
  current_period_start: timestamp,
  current_period_end: timestamp,
  cancel_at_period_end: z.boolean(),
  payment_method_id: z.string().nullable().meta({ description: 'What POST /billing/subscription takes; null for an API key' }),
});
export type Subscription = z.infer<typeof Subscription>;

export const PaymentMethod = z.object({
  id: z.string(),
  brand: z.string().meta({ description: 'As "visa"' }),
  last4: z.string().nullable(),
  exp_month: z.number().int().nullable(),
  exp_year: z.number().int().nullable(),
});
export type PaymentMethod = z.infer<typeof PaymentMethod>;

/** The unsettled payment of an invoice or a draft. */
export const RunningPayment = z.object({
  state: z.enum(['running', 'needs_confirmation', 'declined', 'unpaid']).meta({
    description: 'running: the provider has not answered; needs_confirmation: a person has to confirm it; declined: it is tried again',
  }),
  purpose: z.enum(['first', 'switch', 'renewal', 'usage']),
  plan: plan.nullable().meta({ description: 'The plan that is being paid for; null for usage of a subscription that is over' }),
  amount: dollars,
  reason: z.string().nullable().meta({ description: 'Why it was declined, in the words of the provider; null for an API key' }),
  next_try_at: timestamp.nullable(),
  ends_at: timestamp.nullable().meta({ description: 'Until then it can be paid: afterwards the change is dropped, or the plan ends' }),
});
export type RunningPayment = z.infer<typeof RunningPayment>;

export const BillingNotice = z.object({
  id: id('bln'),
  kind: z.string(),
  at: timestamp,
  text: z.string().meta({ description: 'What happened, and what to do' }),
  is_problem: z.boolean(),
});
export type BillingNotice = z.infer<typeof BillingNotice>;

const state = {
  subscription: Subscription.nullable().meta({ description: 'Null on the free plan' }),
  current_period_start: timestamp.nullable().meta({ description: 'As in the subscription' }),
  current_period_end: timestamp.nullable(),
  payment: RunningPayment.nullable().meta({ description: 'What is to be paid and is not yet' }),
  payment_method: PaymentMethod.nullable().meta({ description: 'Null for an API key: only people see with what the team pays' }),
  credit: dollars.meta({ description: 'Comes off the next invoices' }),
  notices: z.array(BillingNotice).max(billingLimits.notices).meta({ description: 'The newest first; none for an API key' }),
  provider: z.enum(['test', 'stripe']),
  is_test: z.boolean().meta({ description: 'No money moves: the built-in test provider, or Stripe with a test key' }),
};
export const BillingState = z.object(state);
export type BillingState = z.infer<typeof BillingState>;

export const Quote = z.object({
  plan,
  kind: z.enum(['select', 'upgrade', 'downgrade']),
  undoes_cancellation: z.boolean().meta({ description: 'A cancellation is pending: this change takes it back once it is in force' }),
  lines: z.array(z.object({ text: z.string(), amount: dollars })),
  credit_used: dollars,
  tax: dollars,
  tax_percent: z.number(),
  due_now: dollars.meta({ description: 'Charged at once' }),
  credited: dollars.meta({ description: 'Of a smaller plan: what becomes credit for later invoices' }),
  next_amount: dollars.meta({ description: 'The price of the plan at its next renewal, without usage and tax' }),
  next_at: timestamp,
});
export type Quote = z.infer<typeof Quote>;

const changing = [
  'subscription_exists',
  'no_subscription',
  'payment_running',
  'payment_due',
  'cancel_pending',
  'plan_is_current',
  'switches_used_up',
  'invoice_unpaid',
  'payment_provider_changed',
] as const;

export const billing = {
  subscription: route({
    method: 'GET',
    path: '/billing/subscription',
    access: 'projects:read',
    summary: 'The subscription of the team, what is to be paid, and how',
    input: z.strictObject({}),
    output: BillingState,
  }),
  quote: route({
    method: 'GET',
    path: '/billing/quote',
    access: 'session',
    summary: 'What a plan would cost now: nothing is charged and nothing changes',
    errors: [...changing],
    input: z.strictObject({ plan }),
    output: Quote,
  }),
  subscribe: route({
    method: 'POST',
    path: '/billing/subscription',
    access: 'session',
    status: 201,
    location: '/billing/subscription',
    summary: 'Select a plan: it is charged at once and in force when it is paid',
    note: 'It answers when the payment is decided, or after 10 seconds with `payment.state` `running`. A team is charged once, also where a request is repeated without an Idempotency-Key.',
    audit: 'subscription.create',
    errors: [...changing, 'payment_method_missing', 'payment_method_refused', 'payment_declined', 'payment_provider_unavailable'],
    input: z.strictObject({ plan, payment_method_id: paymentMethodId.default('') }),
    output: BillingState,
  }),
  switch: route({
    method: 'PUT',
    path: '/billing/subscription',
    access: 'session',
    summary:
      'Switch to another plan: the difference of the running period is charged, or credited, at once; takes a pending cancellation back',
    note: 'It answers when the payment is decided, or after 10 seconds with `payment.state` `running`.',
    audit: 'subscription.update',
    errors: [...changing, 'payment_method_missing', 'payment_declined', 'payment_provider_unavailable'],
    input: z.strictObject({ plan }),
    output: BillingState,
  }),
  cancel: route({
    method: 'DELETE',
    path: '/billing/subscription',
    access: 'session',
    summary: 'Cancel at the end of the period; a payment that is under way or due is given up, and its plan with it',
    audit: 'subscription.cancel',
    errors: ['no_subscription', 'already_cancelled'],
    input: z.strictObject({}),
    output: BillingState,
  }),
  resume: route({
    method: 'POST',
    path: '/billing/subscription/resume',
    access: 'session',
    summary: 'Undo a cancellation that is pending',
    audit: 'subscription.resume',
    errors: ['not_cancelled'],
    input: z.strictObject({}),
    output: BillingState,
  }),
  setPaymentMethod: route({
    method: 'PUT',
    path: '/billing/payment-method',
    access: 'session',
    summary: 'Pay with another method from now on; what is due is tried again at once',
    audit: 'payment-method.update',
    errors: ['payment_method_refused', 'payment_provider_changed', 'payment_provider_unavailable'],
    input: z.strictObject({ payment_method_id: paymentMethodId.min(1) }),
    output: BillingState,
  }),
  startPaymentMethod: route({
    method: 'POST',
    path: '/billing/payment-method/page',
    access: 'session',
    summary: 'A page of the payment provider on which a card is entered, and which leads back to the settings',
    // Not audited: nothing changes until the provider reports that a card was entered.
    audit: false,
    errors: ['payment_page_missing', 'payment_provider_changed', 'payment_provider_unavailable'],
    input: z.strictObject({}),
    output: z.object({ url: z.url() }),
  }),
  confirmPayment: route({
    method: 'POST',
    path: '/billing/payment/confirm',
    access: 'session',
    summary: 'Confirm a payment that waits for a person: leads to the page of the bank, or asks the test provider',
    audit: 'payment.confirm',
    errors: ['payment_not_waiting', 'payment_declined', 'payment_provider_changed', 'payment_provider_unavailable'],
    input: z.strictObject({
      outcome: z.enum(['confirm', 'refuse']).default('confirm').meta({ description: 'What the person says; for the test provider alone' }),
    }),
    output: BillingState.extend({ url: z.url().nullable().meta({ description: 'The page to go to; null where none is needed' }) }),
  }),
  dismissNotice: route({
    method: 'DELETE',
    path: '/billing/notices/:id',
    access: 'session',
    status: 204,
    summary: 'Take a notice away',
    // Not audited: it only records that the notice was read.
    audit: false,
    errors: ['billing_notice_not_found'],
    input: z.strictObject({ id: id('bln') }),
    output: nothing,
  }),
};
