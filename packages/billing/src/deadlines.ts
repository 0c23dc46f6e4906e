import { dayMs } from '@paddock/contract/time';
import { type Account, runningPeriod } from './account.ts';
import type { Timer } from './events.ts';
import type { Instant } from './period.ts';

/**
 * Days after a renewal's invoice was made. That is the beginning of the period, unless the server was down: time in which nobody could pay
 * does not count.
 */
export const retryDays = [1, 3, 5] as const;
export const graceDays = 7;
/** Maximum time that the payment of a first invoice or of a switch may be undecided or wait for confirmation. */
export const paymentWaitHours = 23;

/** A timer's id is the same however often and on however many servers it fires. No later timer has the same id. */
export interface Deadline {
  id: string;
  name: Timer;
  at: Instant;
}

/** The next timer and its time; a time in the past is due now. Undefined if nothing waits for a time. */
export function nextDeadline(account: Account): Deadline | undefined {
  const { status, open, usage } = account;
  if (status === 'none' && usage.length > 0)
    return { id: `usage_due ${usage.map(({ month }) => month).join(' ')}`, name: 'usage_due', at: 0 };
  const end = endOfPeriod(account);
  if (status === 'active' || status === 'cancelling') return end;
  if (!open) return undefined;
  const waiting = (name: Timer, days: number): Deadline => ({
    id: `${name} ${open.retries} ${open.id}`,
    name,
    at: open.since + days * dayMs,
  });
  if (status === 'incomplete' || status === 'switching' || status === 'resuming') {
    const wait = waiting('payment_wait_over', paymentWaitHours / 24);
    return end && end.at <= wait.at ? end : wait;
  }
  const retry = retryDays[open.retries];
  if (status === 'past_due' && retry !== undefined) return waiting('retry_due', retry);
  if (status === 'past_due' || status === 'charging') return waiting('grace_over', graceDays);
  return undefined;
}

function endOfPeriod(account: Account): Deadline | undefined {
  const period = runningPeriod(account);
  return period && { id: `period_ended ${account.period} ${account.anchor}`, name: 'period_ended', at: period.end };
}
