// A server whose payment provider differs from the one that teams have paid through so far.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { billingWorld } from '../../../../test/billing.ts';
import { runJob } from '../../../../test/run-job.ts';
import { apiOf } from '../../../../test/server.ts';
import { startStripe } from '../../../../test/stripe/stand-in.ts';

const visa = 'pm_card_visa';
const start = '2027-04-01T00:00:00.000Z';
type World = Awaited<ReturnType<typeof billingWorld>>;

/** A team on Pro, with the credit of a switch from Enterprise, paid through the server's own provider. */
async function payingTeam(world: World) {
  const { api, token, email } = await world.person();
  await api.billing.subscribe({ plan: 'enterprise', payment_method_id: visa });
  const state = await api.billing.switch({ plan: 'pro' });
  assert.equal(state.subscription?.plan, 'pro');
  assert.ok(state.credit > 0);
  return { api, token, team: await world.teamOf({ email }), email };
}

test('plans and credit of the test provider end when Stripe is set up, with a notice and a mail, and the plan is paid for before it is in force', async (t) => {
  const world = await billingWorld(t, start);
  const { token, team, email } = await payingTeam(world);
  const stripe = await startStripe(t, { isLive: true });
  const withStripe = await world.beside({ stripe: stripe.settings });
  await runJob(withStripe.features, 'billing.change-provider');

  const api = apiOf(withStripe.origin, token);
  const state = await api.billing.subscription();
  assert.deepEqual(
    {
      subscription: state.subscription,
      credit: state.credit,
      payment: state.payment,
      method: state.payment_method,
      is_test: state.is_test,
    },
    { subscription: null, credit: 0, payment: null, method: null, is_test: false },
  );
  assert.match(state.notices[0]!.text, /paid in test mode, without money, has ended: the Pro plan, credit/);
  assert.equal((await api.profile.get()).plan, 'free');
  assert.ok((await world.mailsTo(email)).some(({ data }) => JSON.stringify(data).includes('has ended: the Pro plan')));
  await assert.rejects(api.billing.subscribe({ plan: 'pro' }), { code: 'payment_method_missing' });
  const { credit = 0, receivable = 0 } = await world.ledger(team);
  assert.deepEqual({ credit, receivable }, { credit: 0, receivable: 0 });

  const paid = await api.billing.subscribe({ plan: 'pro', payment_method_id: visa });
  assert.equal(paid.subscription?.plan, 'pro');
  assert.equal(stripe.books.moved(team), 9_900);
  await runJob(withStripe.features, 'billing.change-provider');
  assert.equal((await api.billing.subscription()).subscription?.id, paid.subscription?.id, 'what Stripe was paid stays');
});

test("a person who acts before the job has nothing of the test provider's either, and usage of those days is never invoiced", async (t) => {
  const world = await billingWorld(t, start);
  const { token, team } = await payingTeam(world);
  const stripe = await startStripe(t, { isLive: true });
  const withStripe = await world.beside({ stripe: stripe.settings });
  const api = apiOf(withStripe.origin, token);
  await assert.rejects(api.billing.cancel(), { code: 'no_subscription' });
  assert.equal((await api.billing.subscription()).subscription, null);
  const spans = await world.sql`
    select 1
    from billing_spans
    where team_id = ${team}`;
  assert.equal(spans.length, 0);
});

test('what was paid with a test key of Stripe does not count with a live key', async (t) => {
  const testMode = await startStripe(t);
  const world = await billingWorld(t, start, { stripe: testMode.settings });
  const { token } = await payingTeam(world);
  const live = await startStripe(t, { isLive: true });
  const withLive = await world.beside({ stripe: live.settings });
  await runJob(withLive.features, 'billing.change-provider');
  const state = await apiOf(withLive.origin, token).billing.subscription();
  assert.deepEqual(
    { plan: state.subscription, credit: state.credit, method: state.payment_method },
    { plan: null, credit: 0, method: null },
  );
});

test('a server that is started without its Stripe key takes nothing that was paid with money, sells nothing to that team, and asks nobody else for its payments', async (t) => {
  const live = await startStripe(t, { isLive: true });
  const world = await billingWorld(t, start, { stripe: live.settings });
  const { api, token, team } = await payingTeam(world);
  const before = await api.billing.subscription();
  const without = await world.beside({ stripe: null });
  const there = apiOf(without.origin, token);
  await runJob(without.features, 'billing.change-provider');
  await assert.rejects(there.billing.switch({ plan: 'enterprise' }), { code: 'payment_provider_changed' });
  await assert.rejects(there.billing.setPaymentMethod({ payment_method_id: visa }), { code: 'payment_provider_changed' });
  const during = await there.billing.subscription();
  assert.deepEqual({ plan: during.subscription?.plan, credit: during.credit }, { plan: 'pro', credit: before.credit });
  assert.equal(await world.held(team), 0);
  await runJob(world.features, 'billing.change-provider');
  const after = await api.billing.subscription();
  assert.deepEqual(after, before);
});
