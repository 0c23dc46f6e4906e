import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Charge, type PaymentProvider, PaymentRefused } from './provider.ts';

export interface PaymentWorld {
  provider: PaymentProvider;
  /** The same provider, as used by another server. */
  beside: PaymentProvider;
  /** Cents that the team has paid minus refunds, according to the provider's own records. */
  moved(team_id: string): Promise<number>;
  /** The person's action on the bank's page. */
  visit(url: string, outcome: 'confirm' | 'refuse'): Promise<void>;
}

let teams = 0;

/** The contract of every payment provider. */
export function paymentProviderSuite(name: string, world: (t: TestContext) => Promise<PaymentWorld>) {
  /** A team with a customer, a saved card and an invoice of 99 dollars. */
  async function createPayer(provider: PaymentProvider, method = 'pm_card_visa') {
    const team_id = `team_${name}_${++teams}`;
    const customer_id = await provider.customer({ team_id, name: 'Ada', email: 'ada@example.com' });
    const { id } = await provider.attach({ team_id, customer_id }, method);
    return { team_id, customer_id, payment_method_id: id };
  }
  const invoice = (team_id: string, attempt = 1): Charge => {
    const invoice_id = `${team_id} evt_1`;
    return { key: `${invoice_id} ${attempt}`, invoice_id, attempt, cents: 9_900, text: 'Pro' };
  };

  test(`${name}: a team is one customer, however often it is asked`, async (t) => {
    const { provider, beside } = await world(t);
    const team = { team_id: 'team_one', name: 'Ada', email: 'ada@example.com' };
    const ids = await Promise.all([provider.customer(team), beside.customer(team), provider.customer(team)]);
    assert.equal(new Set(ids).size, 1, String(ids));
  });

  test(`${name}: a card is known by its brand and last digits, and a method that does not exist is refused with a sentence`, async (t) => {
    const { provider } = await world(t);
    const { team_id, customer_id } = await createPayer(provider);
    const card = await provider.attach({ team_id, customer_id }, 'pm_card_mastercard');
    assert.deepEqual([card.brand, card.last4], ['mastercard', '4444']);
    const unknown = provider.attach({ team_id, customer_id }, 'pm_card_imaginary');
    await assert.rejects(unknown, (error: Error) => error instanceof PaymentRefused && error.message.includes('pm_card_imaginary'));
  });

  test(`${name}: a charge moves the money once, however often and from wherever it is repeated`, async (t) => {
    const { provider, beside, moved } = await world(t);
    const payer = await createPayer(provider);
    const charge = invoice(payer.team_id);
    const news = await provider.charge(payer, charge);
    assert.equal(news.state, 'paid');
    assert.equal(news.state === 'paid' && news.cents, 9_900);
    assert.deepEqual(await beside.charge(payer, charge), news);
    assert.deepEqual(await beside.charge(payer, invoice(payer.team_id, 2)), news);
    assert.deepEqual(await provider.retrievePayment(chargeOf(payer.team_id)), news);
    assert.equal(await moved(payer.team_id), 9_900);
  });

  test(`${name}: twenty charges at once over two servers move the money once`, async (t) => {
    const { provider, beside, moved } = await world(t);
    const payer = await createPayer(provider);
    const charge = invoice(payer.team_id);
    const asked = Array.from({ length: 20 }, (_, index) => (index % 2 ? provider : beside).charge(payer, charge));
    const states = (await Promise.allSettled(asked)).map((each) => (each.status === 'fulfilled' ? each.value.state : String(each.reason)));
    assert.ok(states.includes('paid'), states.join());
    assert.equal(await moved(payer.team_id), 9_900);
    assert.equal((await provider.retrievePayment(chargeOf(payer.team_id))).state, 'paid');
  });

  test(`${name}: a declined charge tells its attempt and the reason, and the next attempt may be paid with another card`, async (t) => {
    const { provider, beside, moved } = await world(t);
    const payer = await createPayer(provider);
    const poor = { ...payer, payment_method_id: await cardOf(provider, payer, 'pm_card_chargeCustomerFail') };
    const declined = { state: 'declined', attempt: 1, reason: 'Your card was declined.' } as const;
    assert.deepEqual(await provider.charge(poor, invoice(payer.team_id)), declined);
    assert.deepEqual(await beside.charge(poor, invoice(payer.team_id)), declined);
    assert.deepEqual(await beside.retrievePayment(chargeOf(payer.team_id)), declined);
    assert.deepEqual(await provider.charge(poor, invoice(payer.team_id, 2)), { ...declined, attempt: 2 });
    assert.equal(await moved(payer.team_id), 0);
    const rich = { ...payer, payment_method_id: await cardOf(provider, payer, 'pm_card_visa') };
    assert.equal((await provider.charge(rich, invoice(payer.team_id, 3))).state, 'paid');
    assert.equal(await moved(payer.team_id), 9_900);
  });

  test(`${name}: a payment that a person has to confirm waits, and is paid once it is confirmed`, async (t) => {
    const { provider, moved, visit } = await world(t);
    const payer = await createPayer(provider, 'pm_card_authenticationRequired');
    const waits = { state: 'needs_confirmation', attempt: 1 } as const;
    assert.deepEqual(await provider.charge(payer, invoice(payer.team_id)), waits);
    assert.deepEqual(await provider.retrievePayment(chargeOf(payer.team_id)), waits);
    assert.equal(await moved(payer.team_id), 0);
    const asked = { ...payer, invoice_id: invoice(payer.team_id).invoice_id };
    const { url } = await provider.confirm(asked, { outcome: 'confirm', back: 'http://localhost:4000/billing' });
    if (url !== null) await visit(url, 'confirm');
    assert.equal((await provider.retrievePayment(chargeOf(payer.team_id))).state, 'paid');
    const again = await provider.confirm(asked, { outcome: 'refuse', back: 'http://localhost:4000/billing' });
    assert.deepEqual([again.news.state, again.url], ['paid', null]);
    assert.equal(await moved(payer.team_id), 9_900);
  });

  test(`${name}: a payment that a person does not confirm is declined, with a reason`, async (t) => {
    const { provider, moved, visit } = await world(t);
    const payer = await createPayer(provider, 'pm_card_authenticationRequired');
    await provider.charge(payer, invoice(payer.team_id));
    const asked = { ...payer, invoice_id: invoice(payer.team_id).invoice_id };
    const { url } = await provider.confirm(asked, { outcome: 'refuse', back: 'http://localhost:4000/billing' });
    if (url !== null) await visit(url, 'refuse');
    const news = await provider.retrievePayment(chargeOf(payer.team_id));
    assert.equal(news.state, 'declined');
    assert.match(news.state === 'declined' ? `${news.attempt} ${news.reason}` : '', /^1 .*authenticat/);
    assert.equal(await moved(payer.team_id), 0);
  });

  test(`${name}: nothing is paid once a payment is void, and what is paid stays paid`, async (t) => {
    const { provider, beside, moved } = await world(t);
    const payer = await createPayer(provider, 'pm_card_authenticationRequired');
    const { invoice_id } = invoice(payer.team_id);
    await provider.charge(payer, invoice(payer.team_id));
    for (const each of [provider, beside]) await each.void({ team_id: payer.team_id, invoice_id, key: `${invoice_id} void` });
    const rich = { ...payer, payment_method_id: await cardOf(provider, payer, 'pm_card_visa') };
    assert.deepEqual(await provider.charge(rich, invoice(payer.team_id, 2)), { state: 'void' });
    assert.equal(await moved(payer.team_id), 0);

    const never = await createPayer(provider);
    await provider.void({ team_id: never.team_id, invoice_id: invoice(never.team_id).invoice_id, key: 'void' });
    assert.deepEqual(await provider.charge(never, invoice(never.team_id)), { state: 'void' });

    const paid = await createPayer(provider);
    await provider.charge(paid, invoice(paid.team_id));
    await provider.void({ team_id: paid.team_id, invoice_id: invoice(paid.team_id).invoice_id, key: 'void' });
    assert.equal((await provider.retrievePayment(chargeOf(paid.team_id))).state, 'paid');
    assert.equal(await moved(paid.team_id), 9_900);
  });

  test(`${name}: money goes back once for each key, and never more than was paid`, async (t) => {
    const { provider, beside, moved } = await world(t);
    const payer = await createPayer(provider);
    const news = await provider.charge(payer, invoice(payer.team_id));
    assert.ok(news.state === 'paid');
    const back = { team_id: payer.team_id, payment_id: news.payment_id, key: 'back 1', cents: 4_000 };
    await provider.refund(back);
    await beside.refund(back);
    assert.equal(await moved(payer.team_id), 5_900);
    await assert.rejects(provider.refund({ ...back, key: 'back 2', cents: 6_000 }), PaymentRefused);
    await beside.refund({ ...back, key: 'back 3', cents: 5_900 });
    assert.equal(await moved(payer.team_id), 0);
  });

  test(`${name}: a payment is found by its team alone, and an invoice that was never charged has none`, async (t) => {
    const { provider } = await world(t);
    const payer = await createPayer(provider);
    await provider.charge(payer, invoice(payer.team_id));
    const { invoice_id } = invoice(payer.team_id);
    assert.deepEqual(await provider.retrievePayment({ team_id: 'team_other', invoice_id }), { state: 'none' });
    assert.deepEqual(await provider.retrievePayment({ team_id: payer.team_id, invoice_id: 'another' }), { state: 'none' });
  });

  test(`${name}: a team that is gone may be forgotten twice`, async (t) => {
    const { provider } = await world(t);
    const payer = await createPayer(provider);
    await provider.deleteCustomer(payer);
    await provider.deleteCustomer(payer);
    await assert.rejects(provider.attach(payer, 'pm_card_visa'), PaymentRefused);
  });

  const chargeOf = (team_id: string) => ({ team_id, invoice_id: invoice(team_id).invoice_id });
  const cardOf = async (provider: PaymentProvider, payer: { team_id: string; customer_id: string }, method: string) =>
    (await provider.attach(payer, method)).id;
}
