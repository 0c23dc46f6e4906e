// Plans that are paid through Stripe: the whole server, with a stand-in for Stripe.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startApi } from '../../../test/server.ts';
import { signed, startStripe, stripeKeys } from '../../../test/stripe/stand-in.ts';
import { createLog } from '../../log.ts';

const path = '/api/v1/billing/webhooks/stripe';

async function world(t: TestContext) {
  const stripe = await startStripe(t);
  let logged = '';
  const log = createLog('debug', { write: (line) => void (logged += line) });
  const server = await startApi(t, { stripe: stripe.settings, log });
  return {
    ...server,
    stripe,
    logged: () => logged,
    /** Sends all Stripe events so far, the newest first, and the newest twice. */
    async tell() {
      const [newest, ...older] = stripe.books.events.toReversed();
      for (const event of [newest, ...older, newest].filter((each) => each !== undefined)) {
        const { body, header } = signed(event);
        const headers = { 'content-type': 'application/json', 'stripe-signature': header };
        const answer = await fetch(`${server.origin}${path}`, { method: 'POST', body, headers });
        assert.equal(answer.status, 200, await answer.text());
      }
    },
    /** Cents that all teams have paid. */
    moved: () => [...stripe.books.intents.values()].reduce((sum, { amount_received }) => sum + amount_received, 0),
  };
}

test('a card is entered on the page of Stripe, and pays the plan', async (t) => {
  const { person, stripe, tell, moved } = await world(t);
  const { api } = await person();
  await assert.rejects(api.billing.subscribe({ plan: 'pro' }), { code: 'payment_method_missing' });
  const { url } = await api.billing.startPaymentMethod({});
  const left = await stripe.visit(`${url}/pm_card_mastercard`);
  assert.match(left.headers.get('location') ?? '', /^http:\/\/localhost:4000\/settings\?tab=billing/);
  assert.equal((await api.billing.subscription()).payment_method, null);
  await tell();
  const saved = await api.billing.subscription();
  assert.deepEqual([saved.payment_method?.brand, saved.payment_method?.last4], ['mastercard', '4444']);
  const state = await api.billing.subscribe({ plan: 'pro' });
  assert.deepEqual([state.subscription?.plan, state.subscription?.status, state.payment], ['pro', 'active', null]);
  assert.deepEqual([state.provider, state.is_test, moved()], ['stripe', true, 9_900]);
  await tell();
  assert.equal((await api.billing.subscription()).subscription?.id, state.subscription?.id);
  assert.equal(moved(), 9_900);
});

test('a payment that the bank wants confirmed waits for the person, and is in force once Stripe tells of it', async (t) => {
  const { person, stripe, tell, moved } = await world(t);
  const { api } = await person();
  const waits = await api.billing.subscribe({ plan: 'pro', payment_method_id: 'pm_card_authenticationRequired' });
  assert.deepEqual([waits.subscription, waits.payment?.state], [null, 'needs_confirmation']);
  const { url } = await api.billing.confirmPayment({});
  assert.match(url ?? '', /^http:\/\/127\.0\.0\.1:\d+\/authenticate\//);
  const back = await stripe.visit(`${url}/confirm`);
  assert.equal(back.headers.get('location'), 'http://localhost:4000/billing');
  await tell();
  const state = await api.billing.subscription();
  assert.deepEqual([state.subscription?.plan, state.payment, moved()], ['pro', null, 9_900]);
});

test('a declined card is told in the words of the bank, and another one pays', async (t) => {
  const { person, tell, moved } = await world(t);
  const { api } = await person();
  const declined = api.billing.subscribe({ plan: 'starter', payment_method_id: 'pm_card_chargeCustomerFail' });
  await assert.rejects(
    declined,
    (error: Error & { code?: string }) => error.code === 'payment_declined' && /Your card was declined/.test(error.message),
  );
  const refused = api.billing.subscribe({ plan: 'starter', payment_method_id: 'pm_card_chargeDeclinedInsufficientFunds' });
  await assert.rejects(refused, { code: 'payment_method_refused', message: 'Your card has insufficient funds.' });
  await tell();
  assert.equal(moved(), 0);
});

test('twenty clicks at once over two servers pay one plan once', async (t) => {
  const { person, origin, beside, tell, moved } = await world(t);
  const { token, api } = await person();
  await api.billing.setPaymentMethod({ payment_method_id: 'pm_card_visa' });
  const other = await beside();
  const click = (at: string) =>
    fetch(`${at}/api/v1/billing/subscription`, {
      method: 'POST',
      body: '{"plan":"pro"}',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
  const clicks = Array.from({ length: 20 }, (_, index) => click(index % 2 ? origin : other.origin));
  const statuses = (await Promise.all(clicks)).map(({ status }) => status);
  assert.ok(statuses.includes(201), statuses.join());
  assert.ok(
    statuses.every((status) => status === 201 || status === 409),
    statuses.join(),
  );
  await tell();
  assert.equal(moved(), 9_900);
  assert.equal((await api.billing.subscription()).subscription?.plan, 'pro');
});

test('a charge whose answer is lost is found by the news of it, and no secret of Stripe is in answers or logs', async (t) => {
  const { person, origin, stripe, tell, moved, logged } = await world(t);
  const { api, token } = await person();
  await api.billing.setPaymentMethod({ payment_method_id: 'pm_card_visa' });
  stripe.fail(/^GET payment_intents|confirm$/, 'lost', 100);
  const state = await api.billing.subscribe({ plan: 'pro' });
  assert.deepEqual([state.subscription, state.payment?.state], [null, 'running']);
  stripe.mend();
  await tell();
  const answer = await fetch(`${origin}/api/v1/billing/subscription`, { headers: { authorization: `Bearer ${token}` } });
  const told = await answer.text();
  assert.equal((JSON.parse(told) as { subscription: { plan: string } }).subscription.plan, 'pro');
  assert.equal(moved(), 9_900);
  for (const secret of [...Object.values(stripeKeys), '_secret_canary']) assert.ok(!`${told}${logged()}`.includes(secret), secret);
  assert.match(logged(), /webhooks\/stripe/);
});
