import type { PlanId } from '@paddock/contract/plans';
import type { Cents } from './cents.ts';
import type { ClosedMonth } from './lines.ts';
import type { Instant } from './period.ts';

export const timers = ['payment_wait_over', 'period_ended', 'retry_due', 'grace_over', 'usage_due'] as const;
export type Timer = (typeof timers)[number];

/** Events from users, the provider, timers and the operator. The id is derived from the cause, so a repeated event has the same id. */
export type BillingEvent = { id: string; at: Instant } & (
  | { name: 'select' | 'switch'; plan: PlanId }
  | { name: 'cancel' | 'undo_cancel' | 'payment_method_changed' | 'debt_written_off' | 'provider_changed' | Timer }
  | { name: 'payment_succeeded'; invoice_id: string; payment_id: string; cents: Cents }
  | { name: 'payment_failed' | 'payment_needs_confirmation'; invoice_id: string; attempt: number }
  | ({ name: 'month_closed' } & ClosedMonth)
);

/**
 * Keys that identify repeated events, even if a provider sends one again under another id. The caller writes these keys, unique per team,
 * in the transaction of the outcome. If one of them exists, the event was handled already.
 */
export function idempotencyKeys(event: BillingEvent): string[] {
  const own = `event ${event.id}`;
  if (event.name === 'payment_succeeded') return [own, `payment ${event.payment_id}`];
  if (event.name === 'payment_failed' || event.name === 'payment_needs_confirmation') {
    return [own, `${event.name} ${event.attempt} ${event.invoice_id}`];
  }
  return [own];
}
