import assert from 'node:assert/strict';
import { until } from '../../apps/server/test/platform.ts';
import { sized } from '../../scripts/test/size.ts';
import type { Fault } from '../fault.ts';
import { checkInvariants } from '../invariants/check.ts';
import { dieAt, sharedWorld, type World } from '../world.ts';

/** The provider's charges, and the documents and entries in the database. */
async function paid({ sql }: World) {
  const payments = await sql<{ cents: number }[]>`select cents from test_payments where state = 'paid'`;
  const [written] = await sql<[{ documents: number; entries: number; last: number }]>`
    select
      (select count(*)::int from billing_documents) as documents, (select count(*)::int from billing_entries) as entries,
      (select last from billing_numbers)::int as last`;
  return { charges: payments.map(({ cents }) => cents), ...written };
}

/** Each moment leaves a different state: nothing charged yet; charged but not recorded; the record is being written. */
const moments = {
  orderWritten: { point: 'billing-written', after: 0 },
  charged: { point: 'payment-charged', after: 0 },
  answered: { point: 'charge-answered', after: 0 },
  resultWritten: { point: 'billing-written', after: 1 },
};
/**
 * The short size has the two moments at which money has moved. A crash while the order is written has no effect outside of its
 * transaction, and billing-year.test.ts covers dozens of those. After the response, provider and database hold the same as before it.
 */
const points = sized({
  short: [moments.charged, moments.resultWritten],
  long: [moments.orderWritten, moments.charged, moments.answered, moments.resultWritten],
});

export const faults: Fault[] = [
  {
    id: 'server-killed-charging',
    fault: 'kill -9 of the server between the charge of a plan and its record: after the charge, and while its result is written',
    expected: 'what was charged is found by its key and recorded once, and nothing is charged again',
    short: true,
    failpoints: ['payment-charged', 'charge-answered', 'billing-written'],
    async run() {
      const told: string[] = [];
      const world = await sharedWorld();
      const expected = [];
      for (const [n, point] of points.entries()) {
        const { api } = await world.paddock.person();
        await api.billing.setPaymentMethod({ payment_method_id: 'pm_card_visa' });
        const key = { idempotency_key: `press ${n}` };
        await dieAt(world, point, () => api.billing.subscribe({ plan: 'pro' }, key));
        await world.sql`update billing_accounts set handing_until = null`; // the killed server's turn could otherwise take up to a minute
        if (point === moments.orderWritten) await api.billing.subscribe({ plan: 'pro' }, key);
        await until('the plan is in force', async () => (await api.billing.subscription()).subscription?.plan === 'pro');
        assert.equal((await api.billing.subscribe({ plan: 'pro' }, key)).subscription?.plan, 'pro', 'the same press again');
        expected.push(9_900);
        const found = await paid(world);
        assert.deepEqual(found, { charges: expected, documents: n + 1, entries: 2 * (n + 1), last: n + 1 });
        told.push(`${point.point} ${point.after}`);
      }
      return `killed at ${told.join(', ')}: ${expected.length} payments, each charged and recorded once; ${await checkInvariants(world)}`;
    },
  },
];
