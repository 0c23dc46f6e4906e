import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testPaymentMethods } from '@paddock/contract/test-payment-methods';
import { billingWorld } from '../../../../test/billing.ts';
import { apiOf } from '../../../../test/server.ts';

const visa = 'pm_card_visa';
const start = '2027-01-31T12:00:00.000Z';
type World = Awaited<ReturnType<typeof billingWorld>>;

const chargesOf = async ({ sql }: World, team: string) =>
  (await sql`select 1 from test_payments where team_id = ${team} and state = 'paid'`).length;
const password = 'correct horse battery';

test('20 confirmations at once over two servers charge once; the others are told that it runs or is there', async (t) => {
  const world = await billingWorld(t, start);
  const { origin } = await world.beside();
  const { api, token, email } = await world.person();
  await api.billing.setPaymentMethod({ payment_method_id: visa });
  const press = (n: number) => apiOf(n % 2 ? world.origin : origin, token).billing.subscribe({ plan: 'pro' });
  const answers = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => press(n)));
  const done = answers.filter(({ status }) => status === 'fulfilled');
  assert.ok(done.length >= 1);
  for (const answer of answers) {
    if (answer.status === 'rejected') assert.match((answer.reason as { code: string }).code, /^(payment_running|subscription_exists)$/);
  }
  const team = await world.teamOf({ email });
  assert.deepEqual([await world.held(team), await chargesOf(world, team), (await world.documents(team)).length], [9_900, 1, 1]);

  const up = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) => apiOf(n % 2 ? world.origin : origin, token).billing.switch({ plan: 'enterprise' })),
  );
  for (const answer of up) {
    if (answer.status === 'rejected') assert.match((answer.reason as { code: string }).code, /^(payment_running|plan_is_current)$/);
  }
  assert.deepEqual([await world.held(team), await chargesOf(world, team)], [29_900, 2]);
});

test('a request that is repeated under its Idempotency-Key selects once and hears the same', async (t) => {
  const world = await billingWorld(t, start);
  const { api, email } = await world.person();
  const key = { idempotency_key: 'one' };
  const press = () => api.billing.subscribe({ plan: 'pro', payment_method_id: visa }, key);
  const [first, second] = await Promise.all([press(), press()]);
  // The state after a server died between the work and its record.
  await world.sql`update idempotency_keys set status = null, body = null, owner = 'gone', created_at = now() - interval '1 hour'`;
  const third = await press();
  assert.deepEqual([second.subscription, third.subscription], [first.subscription, first.subscription]);
  assert.equal(await world.held(await world.teamOf({ email })), 9_900);
});

test('a switch without a payment method is refused and leaves nothing behind', async (t) => {
  const world = await billingWorld(t, start);
  const { api, email } = await world.person();
  await api.billing.subscribe({ plan: 'starter', payment_method_id: visa });
  const team = await world.teamOf({ email });
  await world.sql`update billing_customers set payment_method = null where team_id = ${team}`;
  const written = () => world.sql`
    select a.account, a.payment, (select count(*) from billing_orders) as orders, (select count(*) from billing_events) as events
    from billing_accounts a
    where team_id = ${team}`;
  const before = await written();
  await assert.rejects(api.billing.switch({ plan: 'pro' }), { code: 'payment_method_missing' });
  assert.deepEqual([...(await written())], [...before]);
});

test('numbers have no gaps when documents are written at once and some transactions are rolled back', async (t) => {
  const world = await billingWorld(t, start);
  await world.sql.unsafe(`
    create function unlucky() returns trigger language plpgsql as $$
    begin
      if random() < 0.4 then raise exception 'rolled back'; end if;
      return null;
    end $$;
    create trigger unlucky after insert on billing_entries for each row execute function unlucky()`);
  const people = await Promise.all(Array.from({ length: 8 }, () => world.person()));
  await Promise.allSettled(people.map(({ api }) => api.billing.subscribe({ plan: 'starter', payment_method_id: visa })));
  await world.sql`drop trigger unlucky on billing_entries`;
  await world.goOn('2027-01-31T13:00:00.000Z');
  const plans = await Promise.all(people.map(async ({ api }) => (await api.billing.subscription()).subscription?.plan));
  assert.deepEqual(plans, Array(8).fill('starter'), 'what was paid is in force in the end');
  const rows = await world.sql<{ number: number }[]>`select number from billing_documents order by number`;
  assert.deepEqual(
    rows.map(({ number }) => number),
    [1, 2, 3, 4, 5, 6, 7, 8],
  );
});

test('a provider that does not answer is asked again until it takes the order, and charges once', async (t) => {
  const world = await billingWorld(t, start);
  const { api, email } = await world.person();
  const { id } = testPaymentMethods.find(({ outcome }) => outcome === 'silent')!;
  const state = await api.billing.subscribe({ plan: 'pro', payment_method_id: id });
  assert.deepEqual([state.subscription, state.payment?.state, state.payment?.purpose], [null, 'running', 'first']);
  await assert.rejects(api.billing.subscribe({ plan: 'pro', payment_method_id: visa }), { code: 'payment_running' });
  for (const minute of ['01', '02', '03', '10']) await world.goOn(`2027-01-31T12:${minute}:00.000Z`);
  assert.equal((await api.billing.subscription()).subscription?.plan, 'pro');
  assert.equal(await world.held(await world.teamOf({ email })), 9_900);
});

test('a payment whose news did not come is looked at, and is in force then', async (t) => {
  const world = await billingWorld(t, start);
  const { api, email } = await world.person();
  await api.billing.subscribe({ plan: 'pro', payment_method_id: 'pm_card_authenticationRequired' });
  const team = await world.teamOf({ email });
  // The bank notified the provider, but no webhook event arrived.
  await world.sql`update test_payments set state = 'paid' where team_id = ${team}`;
  await world.run('billing.look');
  assert.equal((await api.billing.subscription()).subscription, null, 'it is not yet time to look');
  await world.goOn('2027-01-31T12:03:00.000Z');
  assert.equal((await api.billing.subscription()).subscription?.plan, 'pro');
});

test('a payment by the slow test method is booked within 20 seconds, with the periods of the real jobs', async (t) => {
  const world = await billingWorld(t, start);
  const { api } = await world.person();
  await api.billing.subscribe({ plan: 'pro', payment_method_id: visa });
  await api.billing.setPaymentMethod({ payment_method_id: 'pm_card_slow' });
  const renewal = Date.parse('2027-02-28T12:00:00.000Z');
  const state = async () => (await api.billing.subscription()).payment?.state ?? 'paid';
  await world.goOn(new Date(renewal).toISOString());
  assert.equal(await state(), 'running');
  const { everySeconds } = world.features.billing.jobs.find(({ name }) => name === 'billing.look')!;
  for (let seconds = everySeconds; seconds <= 20; seconds += everySeconds)
    await world.goOn(new Date(renewal + seconds * 1000).toISOString());
  assert.equal(await state(), 'paid');
});

test('a hint of the provider leads to a look at once; repeated, late and forged ones change nothing', async (t) => {
  const world = await billingWorld(t, start);
  const { api, email } = await world.person();
  const team_id = await world.teamOf({ email });
  await api.billing.subscribe({ plan: 'pro', payment_method_id: 'pm_card_authenticationRequired' });
  const [payment] = await world.sql<{ invoice_id: string }[]>`select invoice_id from test_payments where team_id = ${team_id}`;
  const { invoice_id } = payment!;
  const { onWebhookEvent } = world.features.billing.exports;
  await onWebhookEvent({ id: 'evt_forged', about: 'payment', team_id, invoice_id });
  await onWebhookEvent({ id: 'evt_other', about: 'payment', team_id: 'team_none', invoice_id });
  assert.equal((await api.billing.subscription()).subscription, null);
  await world.sql`update test_payments set state = 'paid' where team_id = ${team_id}`;
  for (const id of ['evt_1', 'evt_1', 'evt_0']) await onWebhookEvent({ id, about: 'payment', team_id, invoice_id });
  assert.equal((await api.billing.subscription()).subscription?.plan, 'pro');
  await onWebhookEvent({ id: 'evt_2', about: 'payment_method', team_id, payment_method_id: 'pm_card_mastercard' });
  assert.equal((await api.billing.subscription()).payment_method?.id, 'pm_card_mastercard');
  assert.equal((await world.documents(team_id)).length, 1);
});

test('a deleted account ends its subscription at once: nothing is charged any more, what is unpaid is taken back, invoices and ledger stay', async (t) => {
  const world = await billingWorld(t, start);
  const { api, email } = await world.person();
  const team = await world.teamOf({ email });
  await api.billing.subscribe({ plan: 'pro', payment_method_id: visa });
  await api.billing.setPaymentMethod({ payment_method_id: 'pm_card_authenticationRequired' });
  await world.goOn('2027-02-28T12:00:00.000Z');
  assert.equal((await api.billing.subscription()).payment?.state, 'needs_confirmation');
  await api.profile.deleteAccount({ password, confirmation: email });
  await world.run('team.delete');
  assert.equal((await world.sql`select 1 from teams where id = ${team}`).length, 0);
  await world.goOn('2027-04-28T12:00:00.000Z');
  assert.deepEqual(
    (await world.documents(team)).map(({ kind, bill }) => [kind, bill.due_cents]),
    [
      ['invoice', 9_900],
      ['invoice', 9_900],
      ['credit_note', -9_900],
    ],
  );
  const { cash, receivable } = await world.ledger(team);
  assert.deepEqual([cash, receivable], [9_900, 0]);
  const payments = await world.sql`select state from test_payments where team_id = ${team} order by state`;
  assert.deepEqual([...payments], [{ state: 'paid' }, { state: 'void' }]);
  assert.equal((await world.sql`select 1 from test_customers where team_id = ${team}`).length, 0, 'the customer is forgotten');
});

test('money that arrives for a team that is gone goes back', async (t) => {
  const world = await billingWorld(t, start);
  const { api, email } = await world.person();
  const team = await world.teamOf({ email });
  await api.billing.subscribe({ plan: 'pro', payment_method_id: 'pm_card_authenticationRequired' });
  // The bank confirms the payment just before the account is deleted.
  await world.sql`update test_payments set state = 'paid' where team_id = ${team}`;
  await api.profile.deleteAccount({ password, confirmation: email });
  await world.run('team.delete');
  await world.goOn('2027-01-31T13:00:00.000Z');
  assert.equal(await world.held(team), 0);
  const { cash, prepaid } = await world.ledger(team);
  assert.deepEqual([cash, prepaid], [0, 0]);
});
