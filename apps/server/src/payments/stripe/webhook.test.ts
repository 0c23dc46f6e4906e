// Stripe's webhook events: only recently signed ones are accepted, and they only cause a poll.
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { Problem } from '@paddock/contract';
import type { StripeEvent } from '../../../test/stripe/books.ts';
import { signed, stripeKeys } from '../../../test/stripe/stand-in.ts';
import { stripeWorld } from '../../../test/stripe/world.ts';
import { createHttpServer } from '../../http/create-server.ts';
import type { ServeDeps } from '../../http/serve.ts';
import { PaymentRefused, PaymentUnavailable, type WebhookEvent } from '../provider.ts';
import { testProvider } from '../test-provider.ts';
import { webhookRoutes } from '../webhook-routes.ts';

const path = '/api/v1/billing/webhooks/stripe';
const minutes = 60_000;

/** A server that receives events, and the events that it received. */
async function listening(t: TestContext) {
  const world = await stripeWorld(t);
  const hints: WebhookEvent[] = [];
  let fails: Error | undefined;
  let now = new Date('2026-03-01T12:00:00Z');
  const onHint = async (hint: WebhookEvent) => {
    if (fails) throw fails;
    hints.push(hint);
  };
  const origin = await serving(t, { ...world, onEvent: onHint, now: () => now });
  const post = (body: string, headers: Record<string, string>) =>
    fetch(`${origin}${path}`, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
  return {
    ...world,
    hints,
    origin,
    post,
    send(event: StripeEvent | object, { secret = stripeKeys.webhook_secret, at = now } = {}) {
      const { body, header } = signed(event, { secret, at });
      return post(body, { 'stripe-signature': header });
    },
    at: (moment: Date) => {
      now = moment;
    },
    now: () => now,
    failWith: (error: Error | undefined) => {
      fails = error;
    },
  };
}

async function serving(t: TestContext, given: Parameters<typeof webhookRoutes>[0]): Promise<string> {
  const app = await createHttpServer({ publicUrl: 'http://localhost:4000', trustedProxies: [] }, given.log);
  webhookRoutes(given)(app, {} as ServeDeps);
  await app.listen({ port: 0, host: '127.0.0.1' });
  t.after(() => app.close());
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

const eventOf = (events: StripeEvent[], type: string): StripeEvent => {
  const event = events.find((each) => each.type === type);
  assert.ok(event, `no ${type} among ${events.map((each) => each.type).join()}`);
  return event;
};

test('signed news of a payment are a reason to look at it, however often and in whatever order they come', async (t) => {
  const world = await listening(t);
  await world.provider.charge(await world.payerWith('pm_card_chargeCustomerFail'), world.charge(1));
  await world.provider.charge(await world.payerWith('pm_card_visa'), world.charge(2));
  const { events } = world.stripe.books;
  const told = [eventOf(events, 'payment_intent.succeeded'), eventOf(events, 'payment_intent.payment_failed')];
  for (const event of [...told, ...told]) assert.equal((await world.send(event)).status, 200);
  const about = { about: 'payment', team_id: 'team_ada', invoice_id: 'inv_1' };
  assert.deepEqual(
    world.hints,
    [...told, ...told].map(({ id }) => ({ id, ...about })),
  );
  // The decline event came last; Stripe's state at the poll is what counts.
  assert.equal((await world.provider.retrievePayment(world.paid)).state, 'paid');
});

test('news that lie change nothing, even with a signature', async (t) => {
  const world = await listening(t);
  await world.provider.charge(await world.payerWith('pm_card_chargeCustomerFail'), world.charge());
  const { id } = [...world.stripe.books.intents.values()][0]!;
  const object = { id, object: 'payment_intent', status: 'succeeded', amount_received: 9_900, metadata: { team_id: 'team_eve' } };
  await world.send({ id: 'evt_lie', object: 'event', type: 'payment_intent.succeeded', livemode: false, data: { object } });
  assert.deepEqual(world.hints, [{ id: 'evt_lie', about: 'payment', team_id: 'team_ada', invoice_id: 'inv_1' }]);
  assert.equal((await world.provider.retrievePayment(world.paid)).state, 'declined');
});

test('unsigned, forged, altered and stale news are refused and not passed on', async (t) => {
  const world = await listening(t);
  await world.provider.charge(await world.payerWith('pm_card_visa'), world.charge());
  const event = eventOf(world.stripe.books.events, 'payment_intent.succeeded');
  const { body, header } = signed(event, { at: world.now() });
  const refused = [
    world.post(body, {}),
    world.post(body, { 'stripe-signature': '' }),
    world.post(body, { 'stripe-signature': 't=1,v1=zz' }),
    world.post(body, { 'stripe-signature': 'x'.repeat(5_000) }),
    world.post(body.replace('"livemode":false', '"livemode":true'), { 'stripe-signature': header }),
    world.post(body, { 'stripe-signature': header.replace('v1=', 'v0=') }),
    world.send(event, { secret: 'whsec_somebodyelses' }),
    world.send(event, { at: new Date(world.now().getTime() - 5 * minutes - 1000) }),
    world.send(['no event']),
    world.post('not json', { 'stripe-signature': signed('not json', { at: world.now() }).header }),
  ];
  for (const answer of await Promise.all(refused)) {
    assert.equal(answer.status, 400);
    assert.equal(((await answer.json()) as Problem).code, 'webhook_refused');
  }
  assert.deepEqual(world.hints, []);
  assert.equal((await world.send(event, { at: new Date(world.now().getTime() - 4 * minutes) })).status, 200);
  // A replayed copy of an old event.
  world.at(new Date(world.now().getTime() + 6 * minutes));
  assert.equal((await world.post(body, { 'stripe-signature': header })).status, 400);
  assert.equal(world.hints.length, 1);
});

test('news of other things, of other payments, and of the live side of a test account are taken and mean nothing', async (t) => {
  const world = await listening(t);
  await world.provider.charge(await world.payerWith('pm_card_visa'), world.charge());
  const event = eventOf(world.stripe.books.events, 'payment_intent.succeeded');
  const others = [
    { ...event, type: 'invoice.paid' },
    { ...event, livemode: true },
    { ...event, data: { object: { id: 'pi_of_another_shop' } } },
    { ...event, data: { object: {} } },
    { ...event, type: 'setup_intent.succeeded', data: { object: { id: 'seti_1', payment_method: 'pm_1', metadata: {} } } },
  ];
  for (const other of others) assert.equal((await world.send(other)).status, 200);
  assert.deepEqual(world.hints, []);
});

test('a body is bounded, and JSON', async (t) => {
  const world = await listening(t);
  const large = signed({ id: 'evt_1', filler: 'x'.repeat(300_000) }, { at: world.now() });
  assert.equal((await world.post(large.body, { 'stripe-signature': large.header })).status, 413);
  assert.equal((await world.post('a=b', { 'content-type': 'application/x-www-form-urlencoded' })).status, 415);
  assert.equal((await fetch(`${world.origin}${path}`)).status, 405);
});

test('a card that is entered on the page of Stripe is told of, and becomes the customer’s one card', async (t) => {
  const world = await listening(t);
  const { team_id, customer_id } = world;
  const back = { done: 'http://localhost:4000/settings?tab=billing', left: 'http://localhost:4000/settings' };
  const page = (await world.provider.createSetupSession({ team_id, customer_id }, back)) ?? '';
  assert.match(page, /^http:\/\/127\.0\.0\.1/);
  const enter = async (card: string) => {
    const answer = await world.stripe.visit(`${page}/${card}`);
    assert.equal(answer.headers.get('location'), card === 'leave' ? back.left : back.done);
    return world.stripe.books.events.filter(({ type }) => type === 'setup_intent.succeeded').at(-1)!;
  };
  const first = await enter('pm_card_visa');
  const second = await enter('pm_card_mastercard');
  await enter('leave');
  // The event of the second card arrives first.
  for (const event of [second, first, second]) assert.equal((await world.send(event)).status, 200);
  const methods = world.hints.map((hint) => (hint.about === 'payment_method' ? hint : assert.fail(hint.about)));
  assert.ok(methods.every((hint) => hint.team_id === team_id));
  const [late, old] = methods.map((hint) => hint.payment_method_id);
  assert.equal((await world.provider.attach({ team_id, customer_id }, late!)).last4, '4444');
  await assert.rejects(world.provider.attach({ team_id, customer_id }, old!), PaymentRefused);
  assert.equal((await world.provider.attach({ team_id, customer_id }, late!)).last4, '4444');

  const eve = await world.provider.customer({ team_id: 'team_eve', name: 'Eve', email: 'eve@example.com' });
  await assert.rejects(world.provider.attach({ team_id: 'team_eve', customer_id: eve }, late!), PaymentRefused);
});

test('news that cannot be dealt with now are asked for again, and those of a card that is gone are not', async (t) => {
  const world = await listening(t);
  await world.provider.charge(await world.payerWith('pm_card_visa'), world.charge());
  const event = eventOf(world.stripe.books.events, 'payment_intent.succeeded');
  world.failWith(new PaymentUnavailable('Stripe does not answer'));
  assert.equal((await world.send(event)).status, 502);
  world.failWith(new Error('the database is away'));
  assert.equal((await world.send(event)).status, 500);
  world.failWith(new PaymentRefused('No such card'));
  assert.equal((await world.send(event)).status, 200);
  for (const secret of Object.values(stripeKeys)) assert.ok(!world.logged().includes(secret));
});

test('without Stripe there is no address for its news', async (t) => {
  const world = await stripeWorld(t);
  const origin = await serving(t, { provider: testProvider(world.sql), onEvent: () => assert.fail(), log: world.log });
  assert.equal((await fetch(`${origin}${path}`, { method: 'POST', body: '{}' })).status, 404);
});
