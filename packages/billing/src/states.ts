/**
 * The statuses of a team's subscription. `active` and the three after it are paid; `charging` and `past_due` also have the plan, until the
 * grace period is over. `none` and `owing` are the free plan.
 */
export const statuses = {
  none: 'Free plan.',
  incomplete: 'Free plan; the first payment is under way, or waits for its confirmation.',
  active: 'Paid until the period ends, then renewed.',
  switching: 'As active; the payment for a larger plan is under way, or waits for its confirmation.',
  cancelling: 'Paid until the period ends, then the free plan (`cancel_at_period_end`).',
  resuming: 'As cancelling; the payment for a larger plan, which takes the cancellation back, is under way or waits for its confirmation.',
  charging: 'The period has begun, its payment is under way.',
  past_due: 'The period has begun, its payment was declined or waits for its confirmation.',
  owing: 'Free plan; usage of the subscription before is not paid yet.',
} as const;
export type Status = keyof typeof statuses;

/** The triggers of transitions. `classify.ts` maps the events of users, providers and timers to these. */
export const triggers = {
  select: 'A person selects a plan.',
  switch_up: 'A person switches to a larger plan.',
  switch_down: 'A person switches to a smaller plan.',
  switch_to_same: 'A person switches to the plan that the team has.',
  switch_too_often: 'A person switches once more after 20 switches in one period.',
  cancel: 'A person cancels.',
  undo_cancel: 'A person takes a cancellation back.',
  payment_method_changed: 'A person changes the payment method.',
  payment_succeeded: 'The payment of the open invoice has arrived.',
  payment_failed: 'The newest try to pay the open invoice was declined.',
  payment_needs_confirmation: 'The newest try to pay the open invoice waits until a person confirms it.',
  stale_payment_news: 'An older try, or one for an invoice that is not open, was declined or waits.',
  late_payment: 'Money has arrived for an invoice that is not open.',
  wrong_amount: 'A payment of the open invoice differs from its amount.',
  payment_wait_over: 'A payment is undecided or unconfirmed for 23 hours.',
  period_ended: 'The period is over.',
  retry_due: '1, 3 or 5 days have passed since the invoice.',
  grace_over: '7 days have passed since the invoice.',
  month_closed: 'The usage of a month is final.',
  month_closed_again: 'A month that was closed before, or one before it, is closed.',
  usage_due: 'The subscription is over, and closed months are not invoiced yet.',
  debt_written_off: 'The operator gives up what a team owes.',
  provider_changed: 'The installation takes payments through another provider, and what the one before was paid does not count.',
  not_due: 'A timer rings that is not set, or too early.',
} as const;
export type Trigger = keyof typeof triggers;

/** The reasons why a request is refused, and what to do. */
export const refusals = {
  subscription_exists: 'Your team already has a subscription. Switch its plan instead.',
  no_subscription: 'Your team has no subscription. Select a plan.',
  payment_running: 'A payment is in progress. Confirm it, wait for it, or cancel it.',
  payment_due: 'The current period is unpaid. Change the payment method or cancel first.',
  cancel_pending: 'Your team keeps this plan until its period ends. Undo the cancellation to keep it longer.',
  already_cancelled: 'The subscription is already cancelled.',
  not_cancelled: 'No cancellation is pending.',
  plan_is_current: 'Your team already has this plan.',
  switches_used_up: 'The plan was switched 20 times in this period. Wait for the next one.',
  invoice_unpaid: 'A usage invoice is unpaid. Change the payment method to pay it, then select a plan.',
  nothing_owed: 'The team owes nothing that can be written off.',
  wrong_amount: 'The paid amount differs from the requested one. The operator has to look into it.',
  not_due: 'The timer is not set, or not due yet.',
  month_already_closed: 'The month is already closed. Months are closed once and in order.',
} as const;
export type Refusal = keyof typeof refusals;

/** The effects of a transition. `effects.ts` executes them. */
export const effects = {
  quote_plan: 'make a draft of the first invoice',
  quote_switch: 'make a draft with the rest of the period on both plans',
  charge: 'ask the provider for the payment',
  settle: 'issue the draft, enter the payment',
  begin: 'begin the first period',
  take_plan: 'put the new plan in force',
  drop: 'void the payment, drop the draft',
  credit_switch: 'credit the difference, put the new plan in force',
  renew: 'begin the next period, issue its invoice with plan and closed months',
  count_retry: 'count the retry',
  take_back: 'void the payment, credit the whole invoice, keep its usage for the next one',
  end: 'end the subscription',
  note_usage: 'keep the usage for the next invoice',
  bill_usage: 'issue an invoice of closed months',
  keep_prepaid: 'keep the money for the next invoice',
  pay_back: 'pay the money back',
  write_off: 'write the open invoice off',
  forfeit: 'give up credit, prepaid money and usage that no invoice has',
} as const;
export type Effect = keyof typeof effects;

/** Notices to a user by mail and in the console. */
export type Notice =
  | 'subscribed'
  | 'declined'
  | 'confirm'
  | 'not_confirmed'
  | 'switched'
  | 'renewed'
  | 'past_due'
  | 'ended'
  | 'ended_unpaid'
  | 'usage_invoiced'
  | 'usage_unpaid'
  | 'paid'
  | 'kept_as_prepaid'
  | 'paid_back'
  | 'provider_changed';

/** A transition to the next status or within the same one, a refusal by name, or the reason why nothing is done. */
export type Transition = { to: Status | 'same'; effects: readonly Effect[]; notice?: Notice } | { refused: Refusal } | { ignored: string };
