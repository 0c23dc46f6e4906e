import assert from 'node:assert/strict';
import { until } from '../../apps/server/test/platform.ts';
import type { Fault } from '../fault.ts';
import { checkInvariants } from '../invariants/check.ts';
import { dieAt, startWorld, type World } from '../world.ts';

/** What the provider took, and what was written of it. */
async function paid({ sql }: World) {
  const payments = await sql<{ cents: number }[]>`select cents from test_payments where state = 'paid'`;
  const [written] = await sql<[{ documents: number; entries: number; last: number }]>`
    select
      (select count(*)::int from billing_documents) as documents, (select count(*)::int from billing_entries) as entries,
      (select last from billing_numbers)::int as last`;
  return { charges: payments.map(({ cents }) => cents), ...written };
}

/** The order in which they come: the order is written, the provider has charged, its answer is here, its news are being written. */
const points = [
  { point: 'billing-written', after: 0 },
  'payment-charged',
  'charge-answered',
  { point: 'billing-written', after: 1 },
] as const;

export const faults: Fault[] = [
  {
    id: 'server-killed-charging',
    fault:
      'kill -9 of the server between the charge of a plan and its record: before the order is written, after the charge, after its answer, while it is written',
    expected: 'what was charged is found by its key and recorded once, and nothing is charged again',
    short: true,
    failpoints: ['payment-charged', 'charge-answered', 'billing-written'],
    async run(_seed, scope) {
      const told: string[] = [];
      const world = await startWorld(scope);
      const expected = [];
      for (const [n, point] of points.entries()) {
        const { api } = await world.paddock.person();
        await api.billing.setPaymentMethod({ payment_method_id: 'pm_card_visa' });
        const key = { idempotency_key: `press ${n}` };
        await dieAt(world, typeof point === 'string' ? point : { ...point }, () => api.billing.subscribe({ plan: 'pro' }, key));
        await world.sql`update billing_accounts set handing_until = null`; // as after the minute that the killed one's turn may take
        if (n === 0) await api.billing.subscribe({ plan: 'pro' }, key);
        await until('the plan is in force', async () => (await api.billing.subscription()).subscription?.plan === 'pro');
        assert.equal((await api.billing.subscribe({ plan: 'pro' }, key)).subscription?.plan, 'pro', 'the same press again');
        expected.push(9_900);
        const found = await paid(world);
        assert.deepEqual(found, { charges: expected, documents: n + 1, entries: 2 * (n + 1), last: n + 1 });
        told.push(typeof point === 'string' ? point : `${point.point} ${point.after}`);
      }
      return `killed at ${told.join(', ')}: ${expected.length} payments, each charged and recorded once; ${await checkInvariants(world)}`;
    },
  },
];
