import { plans } from '@paddock/contract/plans';
import type { Account } from './account.ts';
import { nextDeadline } from './deadlines.ts';
import { type BillingEvent, timers } from './events.ts';
import type { Trigger } from './states.ts';

/** Maximum switches in a period. Each switch may round in favour of a team by at most one cent, so this bounds the loss. */
const maxSwitches = 20;

/** Maps an event to the trigger that the table of transitions is indexed by. */
export function classifyEvent(account: Account, event: BillingEvent): Trigger {
  const { open } = account;
  switch (event.name) {
    case 'switch':
      return kindOfSwitch(account, event.plan);
    case 'payment_succeeded':
      if (event.invoice_id !== open?.id) return 'late_payment';
      return event.cents === open.bill.due_cents ? 'payment_succeeded' : 'wrong_amount';
    case 'payment_failed':
    case 'payment_needs_confirmation':
      return event.invoice_id === open?.id && event.attempt === open.attempt ? event.name : 'stale_payment_news';
    case 'month_closed':
      return account.closed_through !== null && event.month <= account.closed_through ? 'month_closed_again' : 'month_closed';
    default:
      return isTimer(event.name) && !isDue(account, event) ? 'not_due' : event.name;
  }
}

function kindOfSwitch({ plan, switches }: Account, to: keyof typeof plans): Trigger {
  if (plan === to) return 'switch_to_same';
  if (switches >= maxSwitches) return 'switch_too_often';
  return plans[to].price_cents < plans[plan ?? to].price_cents ? 'switch_down' : 'switch_up';
}

function isDue(account: Account, event: BillingEvent): boolean {
  const due = nextDeadline(account);
  return due !== undefined && due.name === event.name && event.at >= due.at;
}

function isTimer(name: string): boolean {
  return (timers as readonly string[]).includes(name);
}
