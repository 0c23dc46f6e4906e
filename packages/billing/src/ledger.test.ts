import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertBalanced,
  balances,
  type Entry,
  findImbalances,
  paymentPostings,
  prepaidPostings,
  refundPostings,
  writeOffPostings,
} from './ledger.ts';

const entry = (id: string, postings: Entry['postings'], team_id = 'team_1'): Entry => ({ id, team_id, kind: 'payment', at: 0, postings });
const charge = entry('inv_1', { receivable: 11_781, revenue: -9_900, tax: -1_881 });

test('entries that add up have nothing wrong, and the balance of a team is its own', () => {
  const entries = [
    charge,
    entry('pay_1', paymentPostings(11_781)),
    entry('pay_2', prepaidPostings(500)),
    entry('pay_2 paid back', refundPostings(500)),
    entry('inv_2', { receivable: 100, revenue: -100 }, 'team_2'),
    entry('inv_2 written off', writeOffPostings(100), 'team_2'),
  ];
  assert.deepEqual(findImbalances(entries), []);
  const nothing = { receivable: 0, credit: 0, prepaid: 0 };
  assert.deepEqual(balances(entries, 'team_1'), { ...nothing, cash: 11_781, revenue: -9_900, tax: -1_881, written_off: 0 });
  assert.deepEqual(balances(entries, 'team_2'), { ...nothing, cash: 0, revenue: -100, tax: 0, written_off: 100 });
});

test('what is wrong is said: an entry that is off, one that is there twice, money paid twice, credit that nobody had', () => {
  const off = entry('pay_0', { cash: 5, receivable: -4 });
  assert.deepEqual(findImbalances([charge, off]), ['The entry pay_0 is off by 1 cents.']);
  assert.throws(() => assertBalanced(off), /off by 1 cents/);
  const payment = entry('pay_1', paymentPostings(11_781));
  assert.deepEqual(findImbalances([charge, payment, payment]), [
    'The entry pay_1 is there twice.',
    'After pay_1, receivable of team_1 is -11781 cents.',
  ]);
  assert.deepEqual(findImbalances([entry('inv_3', { credit: 10, revenue: -10 })]), [
    'After inv_3, team_1 has used 10 cents of credit that it did not have.',
  ]);
});
