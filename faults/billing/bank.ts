import { hourMs } from '@paddock/contract/time';
import {
  type Charge,
  type PaymentProvider,
  PaymentRefused,
  type PaymentStatus,
  PaymentUnavailable,
} from '../../apps/server/src/payments/provider.ts';
import type { Chance } from '../../packages/billing/test/year/chance.ts';

interface Payment {
  team_id: string;
  cents: number;
  attempt: number;
  state: 'running' | 'needs_confirmation' | 'declined' | 'paid' | 'void';
  paid_back: number;
}
interface Deps {
  random: Chance;
  /** Runs the work after the delay, or after the outage that the platform is in by then. */
  later: (ms: number, run: () => Promise<void>) => void;
  hint: (team_id: string, invoice_id: string) => Promise<void>;
  /** The share of charges that the card of a team declines. */
  declines: (team_id: string) => number;
}

/**
 * A fake payment provider. It holds one payment per invoice, which is paid at most once and never after the invoice is void. It is
 * unavailable at times, loses responses to calls that it has carried out, and decides late. Its webhook events arrive late, twice, out of
 * order, forged or never.
 */
export function bank({ random, later, hint, declines }: Deps) {
  const payments = new Map<string, Payment>();
  const keys = new Set<string>();

  const isAway = () => {
    if (random.happens(0.04)) throw new PaymentUnavailable('away');
  };
  /** Fails after the call has taken effect, as if the server had been killed before it got the response. */
  const losesAnswer = () => {
    if (random.happens(0.05)) throw new PaymentUnavailable('the answer was lost');
  };
  const tell = (team_id: string, invoice_id: string) => {
    const times = random.oneOf([0, 1, 1, 1, 2, 3]);
    for (let n = 0; n < times; n++)
      later(random.below(random.oneOf([60_000, 60_000, 10 * hourMs, 96 * hourMs])), () => hint(team_id, invoice_id));
  };
  const newsOf = (invoice_id: string): PaymentStatus => {
    const payment = payments.get(invoice_id);
    if (!payment) return { state: 'none' };
    const { state, attempt, cents } = payment;
    if (state === 'paid') return { state, payment_id: `pay_${invoice_id}`, cents };
    if (state === 'void') return { state };
    return state === 'declined' ? { state, attempt, reason: 'Your card was declined.' } : { state, attempt };
  };
  const decide = (invoice_id: string, payment: Payment, { attempt, no }: { attempt: number; no: number }) => {
    if (payment.attempt !== attempt || payment.state === 'void' || payment.state === 'paid') return;
    payment.state = random.happens(no) ? 'declined' : 'paid';
    tell(payment.team_id, invoice_id);
  };

  function charge(team_id: string, { key, invoice_id, attempt, cents }: Charge): void {
    const payment = payments.get(invoice_id) ?? { team_id, cents, attempt: 0, state: 'running', paid_back: 0 };
    if (payment.cents !== cents) throw new Error(`${invoice_id} was ${payment.cents} cents and is now ${cents}.`);
    payments.set(invoice_id, payment);
    if (keys.has(key) || payment.state === 'paid' || payment.state === 'void') return;
    keys.add(key);
    Object.assign(payment, { attempt, state: 'running' });
    const [no, decideLater] = [
      declines(team_id),
      (share: number) => () => Promise.resolve(decide(invoice_id, payment, { attempt, no: share })),
    ];
    const way = random.next();
    if (way < 0.1) {
      payment.state = 'needs_confirmation';
      tell(team_id, invoice_id);
      if (random.happens(0.85)) later(random.below(40 * hourMs), decideLater(0.15));
    } else if (way < 0.2) later(random.below(30 * hourMs), decideLater(no));
    else decide(invoice_id, payment, { attempt, no });
  }

  const provider: PaymentProvider = {
    name: 'test',
    id: 'test',
    is_test: true,
    pollAfterMs: 120_000,
    customer: async ({ team_id }) => `cus_${team_id}`,
    attach: async (_customer, id) => ({ id, brand: 'visa', last4: null, exp_month: null, exp_year: null }),
    createSetupSession: async () => undefined,
    async charge(payer, order) {
      isAway();
      charge(payer.team_id, order);
      losesAnswer();
      return newsOf(order.invoice_id);
    },
    async retrievePayment({ invoice_id }) {
      isAway();
      return newsOf(invoice_id);
    },
    confirm: async () => {
      throw new PaymentRefused('nobody confirms here');
    },
    async void({ team_id, invoice_id }) {
      isAway();
      const payment = payments.get(invoice_id) ?? { team_id, cents: 0, attempt: 0, state: 'void', paid_back: 0 };
      payments.set(invoice_id, payment);
      if (payment.state !== 'paid') payment.state = 'void';
      losesAnswer();
    },
    async refund({ payment_id, key, cents }) {
      isAway();
      const payment = payments.get(payment_id.slice('pay_'.length));
      if (payment?.state !== 'paid') throw new Error(`${payment_id} is not paid and cannot go back.`);
      if (!keys.has(key)) payment.paid_back += cents;
      keys.add(key);
      if (payment.paid_back > payment.cents) throw new Error(`${payment_id} was paid back twice.`);
      losesAnswer();
    },
    deleteCustomer: async () => undefined,
    hint: () => {
      throw new Error('hints come by themselves here');
    },
  };
  return {
    provider,
    /** Money that the provider has taken from a team. */
    cash(team_id: string): number {
      const own = [...payments.values()].filter((payment) => payment.team_id === team_id && payment.state === 'paid');
      return own.reduce((sum, { cents, paid_back }) => sum + cents - paid_back, 0);
    },
    invoices: () => [...payments.keys()],
  };
}
