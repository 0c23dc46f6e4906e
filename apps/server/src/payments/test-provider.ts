import { type TestPaymentMethod, testPaymentMethods } from '@paddock/contract/test-payment-methods';
import type { Sql, Tx } from '../db/connect.ts';
import { uuidv7 } from '../ids.ts';
import { type Charge, type PaymentProvider, PaymentRefused, type PaymentStatus, PaymentUnavailable, WebhookRefused } from './provider.ts';
import { type TestPayment, testProviderStore } from './test-provider-store.ts';

const slowMs = 5_000;
/** The test provider sends no webhooks, so that polling alone brings the result of a slow payment. */
const pollAfterMs = 5_000;
/** Number of calls of an attempt that the silent method leaves without a response. */
const silences = 2;
const notConfirmed = 'We are unable to authenticate your payment method. Please choose a different payment method and try again.';

/** Payments without money. The state is in the database, so all servers share one provider, which outlives them like a real one. */
export function testProvider(sql: Sql, now: () => Date = () => new Date()): PaymentProvider {
  const store = testProviderStore(sql);

  async function known({ team_id, customer_id }: { team_id: string; customer_id: string }) {
    if (!(await store.isCustomer(team_id, customer_id))) throw new PaymentRefused(`No such customer: ${customer_id}`);
  }

  /** The current payment, locked. */
  async function current(tx: Tx, team_id: string, by: { invoice_id: string } | { payment_id: string }) {
    const payment = await store.locked(tx, team_id, by);
    if (payment?.state !== 'running' || payment.settles_at === null || now() < new Date(payment.settles_at)) return payment;
    const settled: TestPayment = { ...payment, state: 'paid', settles_at: null };
    await store.write(tx, team_id, settled);
    return settled;
  }

  async function attemptNow(tx: Tx, team_id: string, asked: Charge & { method: TestPaymentMethod }): Promise<PaymentStatus | 'silent'> {
    const { key, invoice_id, attempt, cents, method } = asked;
    await store.make(tx, team_id, { invoice_id, payment_id: `tpi_${uuidv7()}`, cents, payment_method_id: method.id });
    const payment = await current(tx, team_id, { invoice_id });
    if (!payment || isSettled(payment) || payment.state === 'running' || attempt < payment.attempt) return toPaymentStatus(payment);
    const before = attempt === payment.attempt ? payment.silences : 0;
    const isSilent = method.outcome === 'silent' && before < silences;
    if (!isSilent && !(await store.isNew(tx, team_id, key))) return toPaymentStatus(payment);
    const tried = { ...payment, cents, attempt, payment_method_id: method.id, silences: before + Number(isSilent) };
    const done: TestPayment = isSilent ? { ...tried, state: 'none' } : { ...tried, ...resolveOutcome(method, now()) };
    await store.write(tx, team_id, done);
    return isSilent ? 'silent' : toPaymentStatus(done);
  }

  return {
    name: 'test',
    id: 'test',
    is_test: true,
    pollAfterMs,
    customer: ({ team_id }) => store.customer(team_id, `tcus_${uuidv7()}`),

    async attach(customer, payment_method_id) {
      await known(customer);
      const { id, brand, last4 } = findMethod(payment_method_id);
      return { id, brand, last4, exp_month: null, exp_year: null };
    },

    createSetupSession: async () => undefined,

    async charge(payer, charge) {
      await known(payer);
      const method = findMethod(payer.payment_method_id);
      const news = await store.begin((tx) => attemptNow(tx, payer.team_id, { ...charge, method }));
      // failpoint: payment-charged
      if (news === 'silent')
        throw new PaymentUnavailable('The test provider does not answer: this payment method makes it silent at first.');
      return news;
    },

    retrievePayment: ({ team_id, invoice_id }) => store.begin(async (tx) => toPaymentStatus(await current(tx, team_id, { invoice_id }))),

    async confirm(payer, { outcome }) {
      const { team_id, invoice_id } = payer;
      const news = await store.begin(async (tx) => {
        const payment = await current(tx, team_id, { invoice_id });
        if (payment?.state !== 'needs_confirmation') return toPaymentStatus(payment);
        const reason = outcome === 'refuse' ? notConfirmed : findMethod(payment.payment_method_id).reason;
        const done: TestPayment = { ...payment, state: reason === undefined ? 'paid' : 'declined', reason: reason ?? null };
        await store.write(tx, team_id, done);
        return toPaymentStatus(done);
      });
      return { news, url: null };
    },

    void: ({ team_id, invoice_id }) =>
      store.begin(async (tx) => {
        // A payment that was never requested is made void too, so that a late charge has no effect.
        await store.make(tx, team_id, { invoice_id, payment_id: `tpi_${uuidv7()}`, cents: 1, payment_method_id: '' });
        const payment = await current(tx, team_id, { invoice_id });
        if (payment && !isSettled(payment)) await store.write(tx, team_id, { ...payment, state: 'void', settles_at: null });
      }),

    refund: ({ team_id, payment_id, key, cents }) =>
      store.begin(async (tx) => {
        const payment = await current(tx, team_id, { payment_id });
        if (payment?.state !== 'paid') throw new PaymentRefused(`No such payment: ${payment_id}`);
        if (!(await store.isNew(tx, team_id, key))) return;
        const paid_back_cents = payment.paid_back_cents + cents;
        if (paid_back_cents > payment.cents) throw new PaymentRefused(`Only ${payment.cents} cents were paid.`);
        await store.write(tx, team_id, { ...payment, paid_back_cents });
      }),

    deleteCustomer: ({ team_id }) => store.forget(team_id),

    async hint() {
      throw new WebhookRefused('The test provider sends no webhooks.');
    },
  };
}

function findMethod(id: string): TestPaymentMethod {
  const method = testPaymentMethods.find((each) => each.id === id);
  if (method) return method;
  const ids = testPaymentMethods.map((each) => each.id);
  throw new PaymentRefused(`The test provider knows no payment method '${id}'. It knows ${ids.join(', ')}.`);
}

const isSettled = ({ state }: TestPayment) => state === 'paid' || state === 'void';

function resolveOutcome({ outcome, reason }: TestPaymentMethod, at: Date): Pick<TestPayment, 'state' | 'reason' | 'settles_at'> {
  if (outcome === 'declines') return { state: 'declined', reason: reason ?? null, settles_at: null };
  if (outcome === 'confirms') return { state: 'needs_confirmation', reason: null, settles_at: null };
  if (outcome === 'later') return { state: 'running', reason: null, settles_at: new Date(at.getTime() + slowMs).toISOString() };
  return { state: 'paid', reason: null, settles_at: null };
}

function toPaymentStatus(payment: TestPayment | undefined): PaymentStatus {
  if (!payment || payment.state === 'none') return { state: 'none' };
  const { state, attempt, payment_id, cents, reason } = payment;
  if (state === 'paid') return { state, payment_id, cents };
  if (state === 'declined') return { state, attempt, reason: reason ?? 'Your card was declined.' };
  return state === 'void' ? { state } : { state, attempt };
}
