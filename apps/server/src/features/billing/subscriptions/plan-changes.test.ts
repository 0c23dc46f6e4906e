import assert from 'node:assert/strict';
import { test } from 'node:test';
import { billingWorld } from '../../../../test/billing.ts';
import { apiOf } from '../../../../test/server.ts';

const visa = 'pm_card_visa';
const start = '2027-01-31T12:00:00.000Z';

test('an API key reads the plan and what is to be paid, and nothing of who pays and how', async (t) => {
  const world = await billingWorld(t, start);
  const { api } = await world.person();
  await api.billing.subscribe({ plan: 'pro', payment_method_id: visa });
  await api.billing.setPaymentMethod({ payment_method_id: 'pm_card_chargeDeclinedExpiredCard' });
  await world.goOn('2027-02-28T12:00:00.000Z');
  const { api_key } = await api.apiKeys.create({ name: 'ci', scopes: ['projects:read'] });
  const [own, byKey] = [await api.billing.subscription(), await apiOf(world.origin, api_key).billing.subscription()];
  assert.equal(own.payment_method?.brand, 'visa');
  assert.match(JSON.stringify(own), /expired/);
  assert.doesNotMatch(JSON.stringify(byKey), /visa|pm_card|0069|expired|PD-0/i);
  assert.partialDeepStrictEqual(byKey, {
    subscription: { plan: 'pro', status: 'past_due', payment_method_id: null },
    payment: { state: 'declined', amount: 99, reason: null },
    payment_method: null,
    notices: [],
  });
});

test('a card that is declined for a first plan is not kept; one that was saved meanwhile is, and so is the card of a running plan', async (t) => {
  const world = await billingWorld(t, start);
  const { api } = await world.person();
  const saved = async () => (await api.billing.subscription()).payment_method?.id ?? null;
  const declining = 'pm_card_chargeDeclined';
  await assert.rejects(api.billing.subscribe({ plan: 'pro', payment_method_id: declining }), { code: 'payment_declined' });
  assert.equal(await saved(), null);
  await assert.rejects(api.billing.subscribe({ plan: 'pro' }), { code: 'payment_method_missing' });
  await api.billing.setPaymentMethod({ payment_method_id: declining });
  await assert.rejects(api.billing.subscribe({ plan: 'pro' }), { code: 'payment_declined' });
  assert.equal(await saved(), null);

  await api.billing.subscribe({ plan: 'pro', payment_method_id: 'pm_card_authenticationRequired' });
  await world.goOn('2027-01-31T12:01:00.000Z');
  await api.billing.setPaymentMethod({ payment_method_id: visa });
  await assert.rejects(api.billing.confirmPayment({ outcome: 'refuse' }), { code: 'payment_declined' });
  assert.equal(await saved(), visa);

  await api.billing.subscribe({ plan: 'starter' });
  await api.billing.setPaymentMethod({ payment_method_id: declining });
  await assert.rejects(api.billing.switch({ plan: 'pro' }), { code: 'payment_declined' });
  assert.equal(await saved(), declining, 'the plan that runs has its card');
});

test('a plan is switched while a cancellation is pending: that takes it back, as the quote says, and a declined payment leaves it', async (t) => {
  const world = await billingWorld(t, start);
  const { api } = await world.person();
  await api.billing.subscribe({ plan: 'pro', payment_method_id: visa });
  assert.equal((await api.billing.quote({ plan: 'enterprise' })).undoes_cancellation, false);
  await api.billing.cancel();
  assert.equal((await api.billing.quote({ plan: 'enterprise' })).undoes_cancellation, true);
  await api.billing.setPaymentMethod({ payment_method_id: 'pm_card_chargeDeclined' });
  await assert.rejects(api.billing.switch({ plan: 'enterprise' }), { code: 'payment_declined' });
  assert.partialDeepStrictEqual(await api.billing.subscription(), { subscription: { plan: 'pro', cancel_at_period_end: true } });
  await api.billing.setPaymentMethod({ payment_method_id: 'pm_card_authenticationRequired' });
  const waiting = await api.billing.switch({ plan: 'enterprise' });
  assert.partialDeepStrictEqual(waiting, { subscription: { plan: 'pro', cancel_at_period_end: true }, payment: { purpose: 'switch' } });
  assert.notEqual(waiting.payment?.ends_at, null);
  const paid = await api.billing.confirmPayment({ outcome: 'confirm' });
  assert.partialDeepStrictEqual(paid, { subscription: { plan: 'enterprise', cancel_at_period_end: false }, payment: null });
  assert.match(paid.notices[0]!.text, /on the Enterprise plan now\. .*The cancellation is taken back/);
  await api.billing.cancel();
  const down = await api.billing.switch({ plan: 'starter' });
  assert.partialDeepStrictEqual(down, { subscription: { plan: 'starter', cancel_at_period_end: false } });
  await world.goOn('2027-02-28T12:00:00.000Z');
  assert.equal((await api.billing.subscription()).subscription?.current_period_end, '2027-03-31T12:00:00.000Z');
});
