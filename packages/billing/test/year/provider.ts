import { dayMs, hourMs, minuteMs } from '@paddock/contract/time';
import type { ProviderCommand } from '../../src/account.ts';
import type { BillingEvent } from '../../src/events.ts';
import type { Chance } from './chance.ts';
import type { Clock } from './clock.ts';

type Payment = { team_id: string; cents: number; state: 'open' | 'paid' | 'void' };
type Deps = { random: Chance; clock: Clock; tell: (team_id: string, event: BillingEvent) => void; declines: (team_id: string) => number };

/**
 * A fake payment provider with one payment per invoice, which succeeds at most once and not when it is void, with idempotency keys, and
 * with events that arrive late, twice, in any order and under new ids.
 */
export function provider({ random, clock, tell, declines }: Deps) {
  const payments = new Map<string, Payment>();
  const answered = new Set<string>();
  const cash = new Map<string, number>();
  const paidBack = new Set<string>();
  let told = 0;

  const move = (team_id: string, cents: number) => cash.set(team_id, (cash.get(team_id) ?? 0) + cents);
  const delay = () => {
    if (random.happens(0.8)) return random.below(minuteMs);
    return random.happens(0.7) ? random.below(10 * hourMs) : random.below(4 * dayMs);
  };
  const send = (team_id: string, event: BillingEvent) => clock.at(clock.now() + delay(), (at) => tell(team_id, { ...event, at }));
  const news = (team_id: string, event: BillingEvent) => {
    send(team_id, event);
    if (random.happens(0.2)) send(team_id, event);
    if (random.happens(0.1)) send(team_id, { ...event, id: `evt_${++told}` });
  };
  const pay = (invoice_id: string, payment: Payment) => {
    payment.state = 'paid';
    move(payment.team_id, payment.cents);
    const [id, payment_id] = [`evt_${++told}`, `pay_${invoice_id}`];
    news(payment.team_id, { id, at: 0, name: 'payment_succeeded', invoice_id, payment_id, cents: payment.cents });
  };
  const sayNo = (payment: Payment, { invoice_id, attempt }: { invoice_id: string; attempt: number }) =>
    news(payment.team_id, { id: `evt_${++told}`, at: 0, name: 'payment_failed', invoice_id, attempt });
  const waitForPerson = (payment: Payment, order: { invoice_id: string; attempt: number }) => {
    news(payment.team_id, { id: `evt_${++told}`, at: 0, name: 'payment_needs_confirmation', ...order });
    if (random.happens(0.15)) return;
    clock.at(clock.now() + random.below(40 * hourMs), () => {
      if (payment.state !== 'open') return;
      if (random.happens(0.85)) pay(order.invoice_id, payment);
      else sayNo(payment, order);
    });
  };
  const charge = (team_id: string, { invoice_id, attempt, cents }: Extract<ProviderCommand, { kind: 'charge' }>) => {
    const payment = payments.get(invoice_id) ?? { team_id, cents, state: 'open' };
    payments.set(invoice_id, payment);
    if (payment.cents !== cents) throw new Error(`${invoice_id} was ${payment.cents} cents and is now ${cents}.`);
    if (payment.state !== 'open') return;
    if (random.happens(0.12)) waitForPerson(payment, { invoice_id, attempt });
    else if (random.happens(declines(team_id))) sayNo(payment, { invoice_id, attempt });
    else pay(invoice_id, payment);
  };
  return {
    take(team_id: string, order: ProviderCommand): void {
      if (answered.has(order.key)) return;
      answered.add(order.key);
      if (order.kind === 'charge') return charge(team_id, order);
      if (order.kind === 'void') {
        const payment = payments.get(order.invoice_id) ?? { team_id, cents: 0, state: 'void' };
        if (payment.state === 'open') payment.state = 'void';
        payments.set(order.invoice_id, payment);
        return;
      }
      if (paidBack.has(order.payment_id)) throw new Error(`${order.payment_id} would be paid back twice.`);
      paidBack.add(order.payment_id);
      move(team_id, -order.cents);
    },
    cash: (team_id: string): number => cash.get(team_id) ?? 0,
  };
}
