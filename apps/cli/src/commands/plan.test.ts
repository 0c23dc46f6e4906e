import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BillingState } from '@paddock/contract';
import { run, scriptedApi } from '../databases/scripted-api.ts';

const period = { current_period_start: '2026-11-12T10:00:00.000Z', current_period_end: '2026-12-12T10:00:00.000Z' };
const free: BillingState = {
  subscription: null,
  current_period_start: null,
  current_period_end: null,
  payment: null,
  payment_method: null,
  credit: 0,
  notices: [],
  provider: 'test',
  is_test: true,
};
const pastDue: BillingState = {
  ...free,
  ...period,
  subscription: { id: 'sub_1', plan: 'pro', status: 'past_due', ...period, cancel_at_period_end: true, payment_method_id: null },
  payment: {
    state: 'declined',
    purpose: 'renewal',
    plan: 'pro',
    amount: 99,
    reason: null,
    next_try_at: '2026-11-13T10:00:00.000Z',
    ends_at: '2026-11-19T10:00:00.000Z',
  },
  credit: 12.5,
  is_test: false,
};

test('plan tells the plan, its period and what is to be paid, and the free plan as such', async (t) => {
  let state = pastDue;
  const { url } = await scriptedApi(t, { 'GET /billing/subscription': () => state });
  const { code, out } = await run(url, ['plan']);
  assert.equal(code, 0);
  assert.deepEqual(out.trimEnd().split('\n'), [
    'Plan        Pro, $99.00 per month',
    'Status      past due',
    'Period      2026-11-12 to 2026-12-12 (UTC)',
    'Ends        2026-12-12: it is cancelled',
    'To pay      $99.00, declined; tried again on 2026-11-13; until 2026-11-19',
    'Credit      $12.50',
  ]);
  const json = await run(url, ['plan'], { json: true });
  assert.deepEqual(JSON.parse(json.out), pastDue);
  state = free;
  assert.equal((await run(url, ['plan'])).out, 'Plan        Free: 1 project, 10 GB bandwidth, 1 GB storage\nTest mode   no money moves\n');
});
