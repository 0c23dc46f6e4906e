import { documentNumber, formatMoney, graceDays, type Notice } from '@paddock/billing';
import { plans } from '@paddock/contract/plans';
import type { NoticeFacts } from './notice-facts.ts';

/** Notices that require an action. */
export const problems: readonly Notice[] = [
  'declined',
  'confirm',
  'not_confirmed',
  'past_due',
  'ended_unpaid',
  'usage_unpaid',
  'provider_changed',
];

export const titles: Record<Notice, string> = {
  subscribed: 'Your plan is in force',
  declined: 'Your payment was declined',
  confirm: 'Your payment needs your confirmation',
  not_confirmed: 'Your payment was not confirmed',
  switched: 'Your plan was switched',
  renewed: 'Your plan was renewed',
  past_due: 'Your plan could not be renewed',
  ended: 'Your subscription has ended',
  ended_unpaid: 'Your plan has ended: it was not paid',
  usage_invoiced: 'Your usage was invoiced',
  usage_unpaid: 'Your usage is not paid',
  paid: 'Your usage is paid',
  kept_as_prepaid: 'A payment was kept for your next invoice',
  paid_back: 'A payment was refunded',
  provider_changed: 'What was paid in test mode has ended',
};

const unchanged = { first: 'your team is on the free plan', switch: 'your plan is as before', renewal: '', usage: '' };

/** Each text names the event, the amount, what comes next and when, and what to do. */
export const texts: Record<Notice, (about: NoticeFacts) => string> = {
  subscribed: (of) => `Your team is on the ${planOf(of)} plan. ${charged(of)} The plan is renewed on ${day(of.period_end)}.`,
  declined: (of) =>
    `The payment of ${formatMoney(of.cents)} for the ${planOf(of)} plan was declined${why(of)} Nothing was charged, and ${unchanged[of.purpose]}. Change the payment method, then select the plan again.`,
  confirm: (of) =>
    `The payment of ${formatMoney(of.cents)} for ${what(of)} waits for your confirmation. Confirm it in Billing${of.ends_at === null ? '' : ` until ${moment(of.ends_at)}`}. ${otherwise(of)}`,
  not_confirmed: (of) =>
    `The payment of ${formatMoney(of.cents)} for the ${planOf(of)} plan was not confirmed in time. Nothing was charged, and ${unchanged[of.purpose]}. Select the plan again to pay it.`,
  switched: (of) => `Your team is on the ${planOf(of)} plan now. ${of.reason === 'credit' ? credited(of) : charged(of)}${resumed(of)}`,
  renewed: (of) => `The ${planOf(of)} plan is paid until ${day(of.period_end)}. ${charged(of)}`,
  past_due: (of) =>
    `The payment of ${formatMoney(of.cents)} for the renewal of the ${planOf(of)} plan was declined${why(of)} ${nextTry(of)} Change the payment method to pay at once. If it is not paid by ${moment(of.ends_at)}, the plan ends and your team is on the free plan.`,
  ended: () =>
    'The subscription has ended. Your team is on the free plan, and nothing was deleted. Usage up to the end is invoiced once its month is closed.',
  ended_unpaid: (of) =>
    `The renewal of the ${planOf(of)} plan was not paid within ${graceDays} days, so your team is on the free plan. The invoice was taken back${of.number === null ? '' : ` by the credit note ${documentNumber(of.number)}`}; usage in it is invoiced by itself.`,
  usage_invoiced: (of) =>
    `The subscription is over, and its usage was invoiced: ${formatMoney(of.cents)}${numbered(of)}. It is charged to your payment method.`,
  usage_unpaid: (of) =>
    `The payment of ${formatMoney(of.cents)} for usage was declined${why(of)} Change the payment method to pay it. Until it is paid, no plan can be selected.`,
  paid: (of) => `Your payment of ${formatMoney(of.cents)} for usage has arrived${numbered(of)}. You can select a plan again.`,
  kept_as_prepaid: (of) =>
    `A payment of ${formatMoney(of.cents)} arrived for an invoice that is no longer open. It will be applied to your next invoice.`,
  paid_back: (of) => `A payment of ${formatMoney(of.cents)} arrived for an invoice that is no longer open. It is paid back.`,
  provider_changed: (of) =>
    `This installation takes payments through another provider now. What was paid in test mode, without money, has ended: ${of.plan === null ? '' : `the ${planOf(of)} plan, `}credit and open invoices. Your team is on the free plan, and nothing was deleted. Add a payment method and select a plan to go on.`,
};

export const planOf = ({ plan }: NoticeFacts) => (plan === null ? 'free' : plans[plan].name);
export const what = (of: NoticeFacts) => (of.purpose === 'usage' ? 'usage' : `the ${planOf(of)} plan`);
const numbered = ({ number }: NoticeFacts) => (number === null ? '' : ` (${documentNumber(number)})`);
const charged = (of: NoticeFacts) => (of.cents === 0 ? 'Nothing was due.' : `You were charged ${formatMoney(of.cents)}${numbered(of)}.`);
const credited = (of: NoticeFacts) => `${formatMoney(of.cents)} will be deducted from your next invoices${numbered(of)}.`;
const resumed = (of: NoticeFacts) =>
  of.undoes_cancellation ? ` The cancellation is taken back: the plan is renewed on ${day(of.period_end)}.` : '';
const why = ({ reason }: NoticeFacts) => (reason === null ? '.' : `: ${reason.replace(/\.?$/, '.')}`);
const nextTry = ({ next_try_at }: NoticeFacts) =>
  next_try_at === null ? 'It is not tried again.' : `It is tried again on ${moment(next_try_at)}.`;
const day = (at: number | null) => (at === null ? 'an unknown day' : new Date(at).toISOString().slice(0, 10));
export const moment = (at: number | null) =>
  at === null ? 'an unknown time' : `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

function otherwise({ purpose }: NoticeFacts): string {
  if (purpose === 'usage') return 'Until it is paid, no plan can be selected.';
  return purpose === 'renewal' ? 'Otherwise the plan ends.' : `Otherwise nothing is charged, and ${unchanged[purpose]}.`;
}
