import type { PlanId } from '@paddock/contract/plans';
import type { Cents } from './cents.ts';
import type { ClosedMonth } from './lines.ts';
import type { Instant } from './period.ts';

export const timers = ['payment_wait_over', 'period_ended', 'retry_due', 'grace_over', 'usage_due'] as const;
export type Timer = (typeof timers)[number];

/** What people, the provider, the clock and the operator say. The id is the cause's own: the same event again has the same id. */
export type BillingEvent = { id: string; at: Instant } & (
  | { name: 'select' | 'switch'; plan: PlanId }
  | { name: 'cancel' | 'undo_cancel' | 'payment_method_changed' | 'debt_written_off' | 'provider_changed' | Timer }
  | { name: 'payment_succeeded'; invoice_id: string; payment_id: string; cents: Cents }
  | { name: 'payment_failed' | 'payment_needs_confirmation'; invoice_id: string; attempt: number }
  | ({ name: 'month_closed' } & ClosedMonth)
);

/**
 * What makes an event the same as one before it, also if a provider tells it under another id. The caller writes these keys, unique by team, in the
 * transaction of the outcome; if one of them is there, the event is answered already and nothing is left to do.
 */
export function keysOf(event: BillingEvent): string[] {
  const own = `event ${event.id}`;
  if (event.name === 'payment_succeeded') return [own, `payment ${event.payment_id}`];
  if (event.name === 'payment_failed' || event.name === 'payment_needs_confirmation') {
    return [own, `${event.name} ${event.attempt} ${event.invoice_id}`];
  }
  return [own];
}
