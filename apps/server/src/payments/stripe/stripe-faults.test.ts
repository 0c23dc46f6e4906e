// Failures between Paddock and Stripe, at each step of a charge: money moves once, and the true state is found.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { type Fault, stripeKeys } from '../../../test/stripe/stand-in.ts';
import { stripeWorld } from '../../../test/stripe/world.ts';
import { type PaymentProvider, PaymentRefused, type PaymentStatus, PaymentUnavailable } from '../provider.ts';

const faults: Fault[] = ['silent', 'lost', 'failed', 'failed after', 'busy', 'garbage', 'huge', 'elsewhere'];
const steps = {
  made: /^POST payment_intents$/,
  noted: /^POST payment_intents\/pi_\w+$/,
  confirmed: /confirm$/,
  looked: /^GET payment_intents/,
};

/** Retries until there is a response, as the outbox does. */
async function untilTold(ask: () => Promise<PaymentStatus>): Promise<{ news: PaymentStatus; tries: number }> {
  for (let tries = 1; tries <= 10; tries++) {
    const news = await ask().catch((error: unknown) => {
      assert.ok(error instanceof PaymentUnavailable, String(error));
    });
    if (news && news.state !== 'none') return { news, tries };
  }
  return assert.fail('no answer after ten tries');
}

for (const fault of faults)
  test(`a charge of which one step is ${fault} moves the money once`, async (t) => {
    const world = await stripeWorld(t);
    const payer = await world.payerWith('pm_card_visa');
    let invoices = 0;
    for (const [step, what] of Object.entries(steps)) {
      const invoice_id = `inv_${++invoices}`;
      const charge = { ...world.charge(), invoice_id, key: `${invoice_id} 1` };
      // The library itself repeats a request once.
      world.stripe.fail(what, fault, 3);
      const { news } = await untilTold(() => world.start().charge(payer, charge));
      assert.equal(news.state, 'paid', step);
      assert.equal(world.stripe.books.moved(world.team_id), 9_900 * invoices, step);
      world.stripe.mend();
      assert.deepEqual(await world.start().retrievePayment({ team_id: world.team_id, invoice_id }), news);
    }
  });

test('a charge whose answer is lost, and that is repeated when Stripe has forgotten its keys, moves the money once', async (t) => {
  const world = await stripeWorld(t);
  const payer = await world.payerWith('pm_card_visa');
  world.stripe.fail(steps.confirmed, 'lost', 2);
  await assert.rejects(world.provider.charge(payer, world.charge()), PaymentUnavailable);
  world.stripe.forgetKeys();
  assert.equal((await world.start().charge(payer, world.charge())).state, 'paid');
  assert.equal(world.stripe.books.moved(world.team_id), 9_900);
  assert.equal(world.stripe.requests.filter(({ path }) => steps.confirmed.test(path)).length, 2, 'tried by the library alone');
});

test('a declined charge whose answer is lost is not tried again, and tells its own attempt', async (t) => {
  const world = await stripeWorld(t);
  const payer = await world.payerWith('pm_card_chargeCustomerFail');
  assert.equal((await world.provider.charge(payer, world.charge(1))).state, 'declined');
  world.stripe.fail(steps.confirmed, 'lost', 2);
  await assert.rejects(world.provider.charge(payer, world.charge(2)), PaymentUnavailable);
  world.stripe.forgetKeys();
  const before = world.stripe.requests.length;
  const declined = { state: 'declined', attempt: 2, reason: 'Your card was declined.' };
  assert.deepEqual(await world.start().retrievePayment(world.paid), declined);
  assert.deepEqual(await world.start().charge(payer, world.charge(2)), declined);
  assert.ok(world.stripe.requests.slice(before).every(({ method }) => method === 'GET'));
});

test('an attempt that was noted and never reached the bank is no news of the attempt before it', async (t) => {
  const world = await stripeWorld(t);
  const payer = await world.payerWith('pm_card_chargeCustomerFail');
  await world.provider.charge(payer, world.charge(1));
  world.stripe.fail(steps.confirmed, 'silent', 2);
  await assert.rejects(world.provider.charge(payer, world.charge(2)), PaymentUnavailable);
  assert.deepEqual(await world.provider.retrievePayment(world.paid), { state: 'none' });
  const news = await world.start().charge(payer, world.charge(2));
  assert.equal(news.state === 'declined' && news.attempt, 2);
});

test('Stripe that does not answer holds a charge up for no longer than its bound', async (t) => {
  const world = await stripeWorld(t, { timeoutMs: 300 });
  const payer = await world.payerWith('pm_card_visa');
  world.stripe.fail(/./, 'hangs', 2);
  await assert.rejects(world.provider.charge(payer, world.charge()), PaymentUnavailable);
  assert.equal((await world.provider.charge(payer, world.charge())).state, 'paid');
});

test('money that goes back goes once, also when Stripe fails after it or forgets its keys', async (t) => {
  const world = await stripeWorld(t);
  const news = await world.provider.charge(await world.payerWith('pm_card_visa'), world.charge());
  assert.ok(news.state === 'paid');
  const back = { team_id: world.team_id, payment_id: news.payment_id, key: 'back', cents: 4_000 };
  const give = async (provider: PaymentProvider) => {
    await provider.refund(back).catch((error: unknown) => assert.ok(error instanceof PaymentUnavailable, String(error)));
  };
  world.stripe.fail(/^POST refunds/, 'failed');
  await give(world.start());
  assert.equal(world.stripe.books.moved(world.team_id), 9_900);
  world.stripe.fail(/^POST refunds/, 'failed after');
  await give(world.start());
  world.stripe.forgetKeys();
  await give(world.start());
  assert.equal(world.stripe.books.moved(world.team_id), 5_900);
});

test('what Stripe refuses without trying the card is declined with its reason, in a look too', async (t) => {
  const world = await stripeWorld(t);
  const payer = await world.payerWith('pm_card_visa');
  const small = { state: 'declined', attempt: 1, reason: 'Amount must be at least $0.50 usd' };
  assert.deepEqual(await world.provider.charge(payer, world.charge(1, 20)), small);
  assert.deepEqual(await world.start().retrievePayment(world.paid), small);

  const other = { team_id: world.team_id, invoice_id: 'inv_2' };
  const gone = { ...world.charge(), ...other, key: 'inv_2 1' };
  const news = await world.provider.charge({ ...payer, payment_method_id: 'pm_gone' }, gone);
  assert.deepEqual(news, { state: 'declined', attempt: 1, reason: "No such PaymentMethod: 'pm_gone'" });
  assert.deepEqual(await world.start().retrievePayment(other), news);
  assert.equal((await world.provider.charge(payer, { ...gone, attempt: 2, key: 'inv_2 2' })).state, 'paid');
});

test('a key that Stripe refuses is told once, clearly, and nothing secret is ever logged or thrown', async (t) => {
  const world = await stripeWorld(t);
  const payer = await world.payerWith('pm_card_visa');
  const thrown: unknown[] = [];
  const note = (error: unknown) => void thrown.push(error);
  world.stripe.revokeKey();
  for (let tries = 0; tries < 3; tries++) await world.provider.charge(payer, world.charge()).catch(note);
  assert.ok(thrown.length === 3 && thrown.every((error) => error instanceof PaymentUnavailable));
  assert.equal(world.logged().match(/Stripe refuses the key in PADDOCK_STRIPE_SECRET_KEY/g)?.length, 1);
  world.stripe.restoreKey();
  for (const fault of faults) {
    world.stripe.fail(/./, fault, 2);
    await world.provider.charge(payer, { ...world.charge(), invoice_id: fault, key: fault }).catch(note);
    world.stripe.mend();
  }
  const poor = await world.payerWith('pm_card_chargeCustomerFail');
  const declined = await world.provider.charge(poor, { ...world.charge(), invoice_id: 'poor', key: 'poor' });
  await world.provider.attach(poor, 'pm_card_chargeDeclined').catch(note);
  for (const error of thrown) world.log.error({ err: error }, 'as a request would');
  const all = world.logged() + thrown.map((error) => inspect(error)).join() + JSON.stringify(declined);
  for (const secret of [...Object.values(stripeKeys), '_secret_canary', 'sk_test_']) assert.ok(!all.includes(secret), secret);
  assert.ok(thrown.length > 6, 'too few errors to look at');
});

test('requests name the version of the API, and each that changes something has a key', async (t) => {
  const world = await stripeWorld(t);
  await world.provider.charge(await world.payerWith('pm_card_visa'), world.charge());
  const { requests, books } = world.stripe;
  assert.deepEqual([...new Set(requests.map(({ version }) => version))], ['2026-10-28.endive']);
  assert.ok(requests.every(({ method, key }) => method !== 'POST' || key !== undefined));
  const [intent] = [...books.intents.values()];
  assert.deepEqual(intent?.metadata, { team_id: 'team_ada', invoice_id: 'inv_1', attempt: '1' });
  assert.deepEqual([intent?.amount, intent?.currency, intent?.description], [9_900, 'usd', 'Pro']);
});

test('a card that the bank refuses at once is refused in the words of the bank', async (t) => {
  const world = await stripeWorld(t);
  const refused = world.payerWith('pm_card_chargeDeclinedInsufficientFunds');
  await assert.rejects(refused, (error: Error) => error instanceof PaymentRefused && error.message === 'Your card has insufficient funds.');
});
