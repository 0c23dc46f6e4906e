import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testMethodText, testPaymentMethods } from '@paddock/contract/test-payment-methods';
import { databaseOf } from '../../test/payments.ts';
import { paymentProviderSuite } from './provider.suite.ts';
import { PaymentRefused, PaymentUnavailable, WebhookRefused } from './provider.ts';
import { testProvider } from './test-provider.ts';

paymentProviderSuite('test', async (t) => {
  const sql = await databaseOf(t);
  return {
    provider: testProvider(sql),
    beside: testProvider(await databaseOf(t, sql)),
    async moved(team_id) {
      const [row] = await sql<[{ cents: number }]>`
        select coalesce(sum(cents - paid_back_cents), 0)::bigint as cents
        from test_payments
        where team_id = ${team_id}
          and state = 'paid'`;
      return row.cents;
    },
    visit: async () => assert.fail('the test provider has no pages'),
  };
});

const team_id = 'team_a';
const charge = (attempt = 1) => ({ key: `inv ${attempt}`, invoice_id: 'inv', attempt, cents: 2_900, text: 'Starter' });

test('a slow payment is running, and is paid some seconds later', async (t) => {
  const sql = await databaseOf(t);
  let now = new Date('2026-03-01T12:00:00Z');
  const provider = testProvider(sql, () => now);
  const customer_id = await provider.customer({ team_id, name: 'Ada', email: 'ada@example.com' });
  const payer = { team_id, customer_id, payment_method_id: 'pm_card_slow' };
  assert.deepEqual(await provider.charge(payer, charge()), { state: 'running', attempt: 1 });
  assert.deepEqual(await provider.charge(payer, charge(2)), { state: 'running', attempt: 1 });
  now = new Date('2026-03-01T12:00:04Z');
  assert.equal((await provider.retrievePayment({ team_id, invoice_id: 'inv' })).state, 'running');
  now = new Date('2026-03-01T12:00:05Z');
  assert.equal((await provider.retrievePayment({ team_id, invoice_id: 'inv' })).state, 'paid');
});

test('a silent provider leaves each attempt twice without an answer, and then takes it', async (t) => {
  const sql = await databaseOf(t);
  const provider = testProvider(sql);
  const customer_id = await provider.customer({ team_id, name: 'Ada', email: 'ada@example.com' });
  const payer = { team_id, customer_id, payment_method_id: 'pm_card_providerSilent' };
  for (let tries = 0; tries < 2; tries++) await assert.rejects(provider.charge(payer, charge()), PaymentUnavailable);
  assert.equal((await provider.charge(payer, charge())).state, 'paid');
});

test('a confirmed payment may still be declined', async (t) => {
  const sql = await databaseOf(t);
  const provider = testProvider(sql);
  const customer_id = await provider.customer({ team_id, name: 'Ada', email: 'ada@example.com' });
  const payer = { team_id, customer_id, payment_method_id: 'pm_card_authenticationRequiredChargeDeclinedInsufficientFunds' };
  await provider.charge(payer, charge());
  const { news } = await provider.confirm({ ...payer, invoice_id: 'inv' }, { outcome: 'confirm', back: '' });
  assert.deepEqual(news, { state: 'declined', attempt: 1, reason: 'Your card has insufficient funds.' });
});

test('what the test provider does not know is refused with what it knows, and it takes no news from outside', async (t) => {
  const sql = await databaseOf(t);
  const provider = testProvider(sql);
  const customer_id = await provider.customer({ team_id, name: 'Ada', email: 'ada@example.com' });
  const says = (text: string) => (error: Error) => error instanceof PaymentRefused && error.message.includes(text);
  await assert.rejects(provider.attach({ team_id, customer_id }, '4242424242424242'), says('pm_card_visa, pm_card_mastercard'));
  await assert.rejects(provider.charge({ team_id, customer_id, payment_method_id: 'pm_1' }, charge()), says("'pm_1'"));
  await assert.rejects(provider.charge({ team_id: 'team_b', customer_id, payment_method_id: 'pm_card_visa' }, charge()), says(customer_id));
  await assert.rejects(provider.hint(Buffer.from('{}'), { signature: undefined }, new Date()), WebhookRefused);
  assert.equal(await provider.createSetupSession({ team_id, customer_id }, { done: '', left: '' }), undefined);
});

test('each test method says what it does', () => {
  const texts = testPaymentMethods.map((method) => [method.id, testMethodText(method)]);
  assert.equal(new Set(texts.map(([id]) => id)).size, texts.length);
  assert.deepEqual(Object.fromEntries(texts).pm_card_chargeDeclinedExpiredCard, 'is declined: Your card has expired.');
});
