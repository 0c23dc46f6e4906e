import assert from 'node:assert/strict';
import { test } from 'node:test';
import { billingWorld } from '../../../../test/billing.ts';

const visa = 'pm_card_visa';
const start = '2027-01-31T12:00:00.000Z';

test('a plan is selected, charged and in force at once, with an invoice, a mail and the label of the plan', async (t) => {
  const world = await billingWorld(t, start);
  const { api, email } = await world.person();
  await world.sql`update users set email_verified = true where email = ${email}`;
  assert.deepEqual((await api.billing.subscription()).subscription, null);
  assert.equal((await api.profile.get()).plan, 'free');
  const quote = await api.billing.quote({ plan: 'pro' });
  assert.deepEqual([quote.kind, quote.due_now, quote.next_amount, quote.next_at], ['select', 99, 99, '2027-02-28T12:00:00.000Z']);
  await assert.rejects(api.billing.subscribe({ plan: 'pro' }), { code: 'payment_method_missing' });
  await assert.rejects(api.billing.subscribe({ plan: 'pro', payment_method_id: 'pm_card_unknown' }), { code: 'payment_method_refused' });

  const state = await api.billing.subscribe({ plan: 'pro', payment_method_id: visa });
  const { id, ...subscription } = state.subscription!;
  assert.match(id, /^sub_/);
  assert.deepEqual(subscription, {
    plan: 'pro',
    status: 'active',
    current_period_start: start,
    current_period_end: '2027-02-28T12:00:00.000Z',
    cancel_at_period_end: false,
    payment_method_id: visa,
  });
  assert.deepEqual([state.payment, state.credit, state.provider, state.is_test], [null, 0, 'test', true]);
  assert.match(state.notices[0]!.text, /on the Pro plan\. You were charged \$99\.00 \(PD-000001\)\. .* renewed on 2027-02-28/);
  assert.equal((await api.profile.get()).plan, 'pro');
  assert.equal((await api.accounts.me()).plan, 'pro');
  const team = await world.teamOf({ email });
  const [invoice, ...more] = await world.documents(team);
  assert.deepEqual([invoice?.number, invoice?.kind, invoice?.bill.due_cents, more.length], [1, 'invoice', 9_900, 0]);
  assert.equal(await world.held(team), 9_900);
  const mail = (await world.mailsTo(email)).findLast(({ template }) => template === 'payment-receipt');
  assert.deepEqual(mail?.data, {
    name: 'Ada',
    plan: 'Pro plan',
    amount: '$99.00',
    invoice: 'PD-000001',
    text: state.notices[0]!.text,
    document_id: invoice?.id,
  });
  await assert.rejects(api.billing.subscribe({ plan: 'starter', payment_method_id: visa }), { code: 'subscription_exists' });
  const { id: notice } = state.notices[0]!;
  await api.billing.dismissNotice({ id: notice });
  assert.deepEqual((await api.billing.subscription()).notices, []);
});

test('a switch costs what was quoted: a larger plan at once, a smaller one becomes credit that the next invoices use', async (t) => {
  const world = await billingWorld(t, '2027-04-01T00:00:00.000Z');
  const { api, email } = await world.person();
  await assert.rejects(api.billing.switch({ plan: 'pro' }), { code: 'no_subscription' });
  await api.billing.subscribe({ plan: 'starter', payment_method_id: visa });
  await world.goOn('2027-04-16T00:00:00.000Z');
  const up = await api.billing.quote({ plan: 'pro' });
  assert.deepEqual([up.kind, up.due_now, up.lines.map(({ amount }) => amount)], ['upgrade', 35, [-14.5, 49.5]]);
  assert.equal((await api.billing.switch({ plan: 'pro' })).subscription?.plan, 'pro');
  await assert.rejects(api.billing.switch({ plan: 'pro' }), { code: 'plan_is_current' });
  const team = await world.teamOf({ email });
  assert.equal(await world.held(team), 2_900 + 3_500);

  const down = await api.billing.quote({ plan: 'starter' });
  assert.deepEqual([down.kind, down.due_now, down.credited], ['downgrade', 0, 35]);
  const state = await api.billing.switch({ plan: 'starter' });
  assert.deepEqual([state.subscription?.plan, state.credit], ['starter', 35]);
  await world.goOn('2027-05-01T00:00:00.000Z');
  const renewed = await api.billing.subscription();
  assert.deepEqual([renewed.credit, renewed.subscription?.current_period_end], [6, '2027-06-01T00:00:00.000Z']);
  assert.equal(await world.held(team), 6_400, 'the credit paid the renewal');
});

test('a cancellation can be undone until the period ends; then the team is on the free plan', async (t) => {
  const world = await billingWorld(t, start);
  const { api } = await world.person();
  await assert.rejects(api.billing.cancel(), { code: 'no_subscription' });
  await api.billing.subscribe({ plan: 'pro', payment_method_id: visa });
  await assert.rejects(api.billing.resume(), { code: 'not_cancelled' });
  assert.equal((await api.billing.cancel()).subscription?.cancel_at_period_end, true);
  await assert.rejects(api.billing.cancel(), { code: 'already_cancelled' });
  await assert.rejects(api.billing.switch({ plan: 'pro' }), { code: 'cancel_pending' });
  assert.equal((await api.billing.resume()).subscription?.cancel_at_period_end, false);
  await world.goOn('2027-02-28T12:00:00.000Z');
  assert.equal((await api.billing.subscription()).subscription?.current_period_end, '2027-03-31T12:00:00.000Z');
  await api.billing.cancel();
  await world.goOn('2027-03-31T11:59:59.000Z');
  assert.equal((await api.profile.get()).plan, 'pro');
  await world.goOn('2027-03-31T12:00:00.000Z');
  const ended = await api.billing.subscription();
  assert.deepEqual([ended.subscription, ended.payment, (await api.profile.get()).plan], [null, null, 'free']);
  assert.match(ended.notices[0]!.text, /on the free plan, and nothing was deleted/);
});

test('a renewal has the usage of the closed month on it: of whole days within the subscription, and corrections of whole months', async (t) => {
  const world = await billingWorld(t, '2027-05-10T06:00:00.000Z');
  const { api, email } = await world.person();
  const team = await world.teamOf({ email });
  const { sql } = world;
  await api.billing.subscribe({ plan: 'starter', payment_method_id: visa });
  const used = (day: string, kind: string, amount: number) =>
    sql`insert into metered_days (team_id, project_id, day, kind, amount) values (${team}, 'prj_1', ${day}, ${kind}, ${amount})`;
  await used('2027-05-10', 'compute_s', 7 * 3600); // the day on which it began is free
  await used('2027-05-11', 'compute_s', 10 * 3600);
  await used('2027-05-31', 'bandwidth_bytes', 30e9);
  await used('2027-05-31', 'core_ms', 5);
  await used('2027-06-01', 'compute_s', 3600);
  await sql`insert into metered_months (month, closed_at) values ('2027-05-01', '2027-06-01T06:00Z')`;
  await world.goOn('2027-06-01T07:00:00.000Z');
  await world.run('billing.close-months');
  await world.goOn('2027-06-10T06:00:00.000Z');
  const [, june] = await world.documents(team);
  assert.deepEqual(
    june?.bill.lines.map(({ kind, cents }) => [kind, cents]),
    [
      ['plan', 2_900],
      ['compute', 100],
      ['bandwidth', 150],
    ],
  );
  // Corrections of May, which was only partly subscribed, and of June, which was fully subscribed.
  await sql`insert into metered_corrections (team_id, project_id, month, of_month, kind, amount) values
    (${team}, 'prj_1', '2027-07-01', '2027-05-01', 'compute_s', 36000), (${team}, 'prj_1', '2027-07-01', '2027-06-01', 'compute_s', 7200)`;
  for (const month of ['2027-06-01', '2027-07-01']) await sql`insert into metered_months (month, closed_at) values (${month}, now())`;
  await world.goOn('2027-07-10T06:00:00.000Z');
  await world.goOn('2027-08-10T06:00:00.000Z');
  const compute = (await world.documents(team)).map(({ bill }) =>
    bill.lines.filter(({ kind }) => kind === 'compute').map(({ cents }) => cents),
  );
  assert.deepEqual(compute, [[], [100], [10, 20], []]);
  const { cash, receivable = 0 } = await world.ledger(team);
  assert.deepEqual([cash, receivable], [await world.held(team), 0]);
});

test('a first payment or a switch that is declined says why, changes nothing, and can be done again with another method', async (t) => {
  const world = await billingWorld(t, start);
  const { api, email } = await world.person();
  const declined = { code: 'payment_declined', message: /^The payment was declined: Your card was declined\. You were not charged/ };
  await assert.rejects(api.billing.subscribe({ plan: 'pro', payment_method_id: 'pm_card_chargeDeclined' }), declined);
  const state = await api.billing.subscription();
  assert.deepEqual([state.subscription, state.payment, state.notices[0]?.is_problem], [null, null, true]);
  const mail = (await world.mailsTo(email)).findLast(({ template }) => template === 'payment-failed');
  assert.match(JSON.stringify(mail?.data), /Your card was declined\..*on the free plan/);
  await api.billing.subscribe({ plan: 'starter', payment_method_id: visa });
  await api.billing.setPaymentMethod({ payment_method_id: 'pm_card_chargeDeclined' });
  await assert.rejects(api.billing.switch({ plan: 'pro' }), declined);
  assert.equal((await api.billing.subscription()).subscription?.plan, 'starter');
  const team = await world.teamOf({ email });
  assert.deepEqual(
    (await world.documents(team)).map(({ number }) => number),
    [1],
    'declined drafts leave no gap',
  );
});

test('a renewal that is declined is tried again, ends after its grace with a credit note, and its usage is owed until it is paid', async (t) => {
  const world = await billingWorld(t, '2027-05-10T00:00:00.000Z');
  const { api, email } = await world.person();
  const team = await world.teamOf({ email });
  await api.billing.subscribe({ plan: 'pro', payment_method_id: visa });
  await world.sql`insert into metered_days (team_id, project_id, day, kind, amount) values (${team}, 'prj_1', '2027-05-12', 'compute_s', 360000)`;
  await world.sql`insert into metered_months (month, closed_at) values ('2027-05-01', now())`;
  await api.billing.setPaymentMethod({ payment_method_id: 'pm_card_chargeDeclined' });
  await world.goOn('2027-06-10T00:00:00.000Z');
  const due = await api.billing.subscription();
  assert.deepEqual(due.subscription?.status, 'past_due');
  assert.deepEqual(due.payment, {
    state: 'declined',
    purpose: 'renewal',
    plan: 'pro',
    amount: 109,
    reason: 'Your card was declined.',
    next_try_at: '2027-06-11T00:00:00.000Z',
    ends_at: '2027-06-17T00:00:00.000Z',
  });
  await assert.rejects(api.billing.switch({ plan: 'starter' }), { code: 'payment_due' });
  for (const day of ['11', '13', '15']) await world.goOn(`2027-06-${day}T00:00:00.000Z`);
  const [tries] = await world.sql<[{ tries: number }]>`
    select count(*)::int as tries from billing_orders where team_id = ${team} and body ->> 'kind' = 'charge' and taken_at is not null`;
  assert.equal(tries.tries, 1 + 4);
  assert.equal((await api.billing.subscription()).payment?.next_try_at, null);
  await world.goOn('2027-06-17T00:00:00.000Z');
  const over = await api.billing.subscription();
  assert.deepEqual([over.subscription, over.payment?.state, over.payment?.purpose, over.payment?.amount], [null, 'unpaid', 'usage', 10]);
  assert.deepEqual(
    (await world.documents(team)).map(({ number, kind, bill }) => [number, kind, bill.due_cents]),
    [
      [1, 'invoice', 9_900],
      [2, 'invoice', 10_900],
      [3, 'credit_note', -10_900],
      [4, 'invoice', 1_000],
    ],
  );
  await assert.rejects(api.billing.subscribe({ plan: 'pro', payment_method_id: visa }), { code: 'invoice_unpaid' });
  const paid = await api.billing.setPaymentMethod({ payment_method_id: visa });
  assert.deepEqual([paid.payment, paid.notices.filter(({ is_problem }) => is_problem)], [null, []]);
  assert.equal(await world.held(team), 10_900);
  const { cash, receivable } = await world.ledger(team);
  assert.deepEqual([cash, receivable], [10_900, 0]);
});

test('the operator gives up what a team owes: it can subscribe again, and the ledger says what was lost', async (t) => {
  const world = await billingWorld(t, '2027-05-10T00:00:00.000Z');
  const { api, email } = await world.person();
  const team = await world.teamOf({ email });
  await api.billing.subscribe({ plan: 'pro', payment_method_id: visa });
  await world.sql`insert into metered_days (team_id, project_id, day, kind, amount) values (${team}, 'prj_1', '2027-05-12', 'compute_s', 360000)`;
  await api.billing.cancel();
  await api.billing.setPaymentMethod({ payment_method_id: 'pm_card_chargeDeclined' });
  await world.goOn('2027-06-10T00:00:00.000Z');
  await world.sql`insert into metered_months (month, closed_at) values ('2027-05-01', now())`;
  await world.goOn('2027-06-10T01:00:00.000Z');
  assert.equal((await api.billing.subscription()).payment?.state, 'unpaid');
  await world.sql`insert into billing_write_offs values (${team}), ('team_none')`;
  await world.run('billing.write-off');
  await world.run('billing.write-off');
  assert.equal((await api.billing.subscription()).payment, null);
  const { receivable, written_off } = await world.ledger(team);
  assert.deepEqual([receivable, written_off], [0, 1_000]);
  assert.equal((await api.billing.subscribe({ plan: 'starter', payment_method_id: visa })).subscription?.plan, 'starter');
  assert.equal((await world.sql`select 1 from billing_write_offs`).length, 0);
});

test('a payment that is due is paid at once with another method', async (t) => {
  const world = await billingWorld(t, '2027-05-10T00:00:00.000Z');
  const { api } = await world.person();
  await api.billing.subscribe({ plan: 'pro', payment_method_id: visa });
  await api.billing.setPaymentMethod({ payment_method_id: 'pm_card_visa_chargeDeclined' });
  await world.goOn('2027-06-10T00:00:00.000Z');
  assert.equal((await api.billing.subscription()).subscription?.status, 'past_due');
  const paid = await api.billing.setPaymentMethod({ payment_method_id: 'pm_card_mastercard' });
  assert.deepEqual([paid.subscription?.status, paid.payment], ['active', null]);
  assert.equal(
    paid.notices.some(({ is_problem }) => is_problem),
    false,
  );
});

test('a payment waits for its confirmation by a person, who confirms or refuses it', async (t) => {
  const world = await billingWorld(t, start);
  const { api, email } = await world.person();
  const asks = { plan: 'pro', payment_method_id: 'pm_card_authenticationRequired' } as const;
  const state = await api.billing.subscribe(asks);
  assert.deepEqual(state.payment, {
    state: 'needs_confirmation',
    purpose: 'first',
    plan: 'pro',
    amount: 99,
    reason: null,
    next_try_at: null,
    ends_at: '2027-02-01T11:00:00.000Z',
  });
  await assert.rejects(api.billing.subscribe(asks), { code: 'payment_running' });
  await assert.rejects(api.billing.confirmPayment({ outcome: 'refuse' }), { code: 'payment_declined' });
  assert.equal((await api.billing.subscription()).payment, null);
  await assert.rejects(api.billing.confirmPayment({}), { code: 'payment_not_waiting' });
  await api.billing.subscribe(asks);
  const confirmed = await api.billing.confirmPayment({});
  assert.deepEqual([confirmed.subscription?.plan, confirmed.url], ['pro', null]);
  const team = await world.teamOf({ email });
  assert.equal(await world.held(team), 9_900);

  const again = await world.person();
  await again.api.billing.subscribe(asks);
  await world.goOn('2027-02-01T11:00:00.000Z');
  const late = await again.api.billing.subscription();
  assert.deepEqual([late.subscription, late.payment], [null, null]);
  assert.match(late.notices[0]!.text, /was not confirmed in time/);
});

test('teams never see each other', async (t) => {
  const world = await billingWorld(t, start);
  const [ada, bob] = [await world.person(), await world.person()];
  await ada.api.billing.subscribe({ plan: 'enterprise', payment_method_id: visa });
  const state = await bob.api.billing.subscription();
  assert.deepEqual([state.subscription, state.notices, state.payment_method], [null, [], null]);
  assert.equal((await bob.api.profile.get()).plan, 'free');
  const { notices } = await ada.api.billing.subscription();
  await assert.rejects(bob.api.billing.dismissNotice({ id: notices[0]!.id }), { code: 'billing_notice_not_found' });
  assert.equal((await ada.api.billing.subscription()).notices.length, 1);
});
