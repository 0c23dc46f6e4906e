import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayMs } from '@paddock/contract/time';
import { type Account, newAccount, type Outcome, type ProviderCommand } from './account.ts';
import { nextDeadline } from './deadlines.ts';
import { type BillingEvent, idempotencyKeys } from './events.ts';
import { periodAt } from './period.ts';
import { step } from './step.ts';

const start = Date.parse('2026-10-31T12:00:00.400Z');
const anchor = Date.parse('2026-10-31T12:00:00Z');
type Told = BillingEvent extends infer One ? (One extends BillingEvent ? Omit<One, 'id' | 'at'> : never) : never;

/** A team that receives events one after the other. */
function team({ tax_basis_points = 0 } = {}) {
  let account = newAccount('team_1');
  let count = 0;
  const charges: Extract<ProviderCommand, { kind: 'charge' }>[] = [];
  const answer = (told: Told, at: number): Outcome => {
    const outcome = step(account, { ...told, id: `evt_${++count}`, at }, { tax_basis_points });
    if ('refused' in outcome) throw new Error(outcome.refused);
    account = outcome.account;
    charges.push(...outcome.commands.filter((order) => order.kind === 'charge'));
    return outcome;
  };
  const paid = (at: number) => {
    const { invoice_id, cents } = charges.at(-1)!;
    return answer({ name: 'payment_succeeded', invoice_id, payment_id: `pay ${invoice_id}`, cents }, at);
  };
  const declined = (at: number) => {
    const { invoice_id, attempt } = charges.at(-1)!;
    return answer({ name: 'payment_failed', invoice_id, attempt }, at);
  };
  const ring = () => {
    const due = nextDeadline(account)!;
    return answer({ name: due.name }, due.at);
  };
  return { now: (): Account => account, charges, answer, paid, declined, ring };
}

/** A team that has paid for a plan. */
function subscribed(plan: 'starter' | 'pro' | 'enterprise', options = {}) {
  const one = team(options);
  one.answer({ name: 'select', plan }, start);
  one.paid(start);
  return one;
}
const refused = (one: ReturnType<typeof team>, told: Told) => assert.throws(() => one.answer(told, start), /month_already_closed/);
const usage = (month: string, compute: bigint) =>
  ({ name: 'month_closed', month, quantities: { compute, bandwidth: 0n, storage: 0n } }) as const;
const linesOf = ({ documents }: Outcome) => documents.flatMap(({ bill }) => bill.lines.map(({ text, cents }) => [text, cents]));

test('a plan is in force when it is paid, from the second of the payment, also after a confirmation', () => {
  const one = team({ tax_basis_points: 1_900 });
  const selected = one.answer({ name: 'select', plan: 'pro' }, start);
  assert.deepEqual([selected.documents, selected.entries, one.now().plan], [[], [], null]);
  assert.equal(one.charges[0]?.cents, 11_781);
  const { invoice_id, attempt } = one.charges.at(0)!;
  assert.deepEqual(one.answer({ name: 'payment_needs_confirmation', invoice_id, attempt }, start).notices, ['confirm']);
  const later = start + dayMs / 2;
  assert.deepEqual(linesOf(one.paid(later)), [['Pro plan', 9_900]]);
  assert.deepEqual([one.now().status, one.now().plan, one.now().anchor], ['active', 'pro', anchor + dayMs / 2]);
});

test('a declined first payment leaves the free plan, no invoice, no number and no debt', () => {
  const one = team();
  one.answer({ name: 'select', plan: 'pro' }, start);
  const { documents, entries, notices } = one.declined(start);
  assert.deepEqual({ documents, entries, notices }, { documents: [], entries: [], notices: ['declined'] });
  assert.deepEqual(one.now(), newAccount('team_1'));
});

test('an unconfirmed payment is void after 23 hours, and the plan stays what it was', () => {
  const one = subscribed('starter');
  one.answer({ name: 'switch', plan: 'pro' }, start);
  assert.equal(nextDeadline(one.now())?.at, start + 23 * 3_600_000);
  const { commands } = one.ring();
  assert.deepEqual(
    commands.map(({ kind }) => kind),
    ['void'],
  );
  assert.deepEqual([one.now().status, one.now().plan], ['active', 'starter']);
});

test('an upgrade charges the difference of the running period at once, and a declined one leaves the old plan', () => {
  const one = subscribed('starter');
  const half = anchor + 15 * dayMs;
  one.answer({ name: 'switch', plan: 'enterprise' }, half);
  assert.equal(one.charges.at(-1)?.cents, 13_500);
  one.declined(half);
  assert.deepEqual([one.now().plan, one.now().open], ['starter', null]);
  one.answer({ name: 'switch', plan: 'enterprise' }, half);
  const lines = [
    ['Unused time on Starter', -1_450],
    ['Remaining time on Enterprise', 14_950],
  ];
  assert.deepEqual(linesOf(one.paid(half)), lines);
  assert.equal(one.now().plan, 'enterprise');
});

test('a downgrade is in force at once; its credit comes off the next invoice before tax', () => {
  const one = subscribed('pro', { tax_basis_points: 1_000 });
  const { documents } = one.answer({ name: 'switch', plan: 'starter' }, anchor + 15 * dayMs);
  assert.deepEqual([documents[0]?.kind, one.now().plan, one.now().credit_cents], ['credit_note', 'starter', 3_500]);
  const renewal = one.ring();
  const bill = renewal.documents[0]?.bill;
  assert.deepEqual([bill?.sum_cents, bill?.credit_cents, bill?.tax_cents, bill?.due_cents], [2_900, 2_900, 0, 0]);
  // Nothing is due, so no payment is requested.
  assert.deepEqual([renewal.commands, one.now().status, one.now().credit_cents], [[], 'active', 600]);
  assert.equal(one.ring().documents[0]?.bill.due_cents, 2_530);
});

test('a renewal has the plan and the usage of months that were closed since, each month once', () => {
  const one = subscribed('starter');
  one.answer(usage('2026-10', 0n), start + dayMs);
  one.answer(usage('2026-11', 36_000n), start + 29 * dayMs);
  refused(one, usage('2026-11', 36_000n));
  const renewal = [
    ['Starter plan', 2_900],
    ['Compute at $0.10 per hour, 2026-11', 100],
  ];
  assert.deepEqual(linesOf(one.ring()), renewal);
  one.paid(periodAt(anchor, 1).start);
  assert.deepEqual(linesOf(one.ring()), [['Starter plan', 2_900]]);
});

test('a declined renewal is tried again after 1, 3 and 5 days and falls to the free plan after 7; the plan of that period is not owed, its usage is', () => {
  const one = subscribed('pro');
  one.answer(usage('2026-11', 36_000n), start + 29 * dayMs);
  one.ring();
  const renewed = periodAt(anchor, 1).start;
  const days: number[] = [];
  for (let retries = 0; retries < 3; retries++) {
    one.declined(renewed);
    assert.equal(one.now().status, 'past_due');
    days.push((nextDeadline(one.now())!.at - renewed) / dayMs);
    one.ring();
  }
  one.declined(renewed);
  assert.deepEqual([...days, (nextDeadline(one.now())!.at - renewed) / dayMs], [1, 3, 5, 7]);
  const fall = one.ring();
  assert.deepEqual([one.now().status, one.now().plan, fall.notices], ['none', null, ['ended_unpaid']]);
  assert.equal(fall.documents[0]?.bill.due_cents, -10_000);
  assert.deepEqual(linesOf(one.ring()), [['Compute at $0.10 per hour, 2026-11', 100]]);
  assert.throws(() => one.answer({ name: 'select', plan: 'pro' }, renewed), /invoice_unpaid/);
  one.answer({ name: 'payment_method_changed' }, renewed);
  assert.deepEqual(one.paid(renewed).notices, ['paid']);
});

test('after a standstill of the platform, a team has its 7 days from the invoice on', () => {
  const one = subscribed('pro');
  const late = periodAt(anchor, 1).start + 20 * dayMs;
  one.answer({ name: 'period_ended' }, late);
  assert.equal(nextDeadline(one.now())?.at, late + 7 * dayMs);
});

test('a new payment method pays a declined renewal at once', () => {
  const one = subscribed('pro');
  one.ring();
  const renewed = periodAt(anchor, 1).start;
  one.declined(renewed);
  one.answer({ name: 'payment_method_changed' }, renewed + 1);
  assert.deepEqual(one.paid(renewed + 2).notices, ['renewed']);
  assert.deepEqual([one.now().status, nextDeadline(one.now())?.at], ['active', periodAt(anchor, 2).start]);
});

test('a cancelled subscription goes on until the period ends, and can be taken back until then', () => {
  const one = subscribed('pro');
  one.answer({ name: 'cancel' }, start);
  assert.throws(() => one.answer({ name: 'cancel' }, start), /already_cancelled/);
  assert.throws(() => one.answer({ name: 'switch', plan: 'pro' }, start), /cancel_pending/);
  one.answer({ name: 'undo_cancel' }, start);
  one.answer({ name: 'cancel' }, start);
  assert.equal(one.now().plan, 'pro');
  const { commands, documents } = one.ring();
  assert.deepEqual([one.now().status, one.now().plan, commands, documents], ['none', null, [], []]);
});

test('a switch takes a pending cancellation back: a larger plan once it is paid, a smaller one at once', () => {
  const one = subscribed('pro');
  one.answer({ name: 'cancel' }, start);
  one.answer({ name: 'switch', plan: 'enterprise' }, start);
  assert.partialDeepStrictEqual(one.now(), { status: 'resuming', plan: 'pro', wanted: 'enterprise' });
  assert.throws(() => one.answer({ name: 'switch', plan: 'starter' }, start), /payment_running/);
  one.declined(start);
  assert.partialDeepStrictEqual(one.now(), { status: 'cancelling', plan: 'pro', open: null });
  one.answer({ name: 'switch', plan: 'enterprise' }, start);
  assert.deepEqual(one.paid(start).notices, ['switched']);
  assert.partialDeepStrictEqual(one.now(), { status: 'active', plan: 'enterprise' });
  one.answer({ name: 'cancel' }, start);
  one.answer({ name: 'switch', plan: 'starter' }, start);
  assert.partialDeepStrictEqual(one.now(), { status: 'active', plan: 'starter' });
});

test('a cancellation stays while the payment that would take it back is undecided, and the plan ends with its period', () => {
  const late = periodAt(anchor, 1).start - dayMs / 2;
  for (const way of ['wait', 'cancel', 'period'] as const) {
    const one = subscribed('pro');
    one.answer({ name: 'cancel' }, start);
    one.answer({ name: 'switch', plan: 'enterprise' }, way === 'period' ? late : start);
    if (way === 'cancel') one.answer({ name: 'cancel' }, start);
    else assert.equal(nextDeadline(one.now())?.name, way === 'period' ? 'period_ended' : 'payment_wait_over');
    if (way === 'wait') one.ring();
    if (way !== 'period') assert.partialDeepStrictEqual(one.now(), { status: 'cancelling', plan: 'pro', open: null });
    const { commands } = one.ring();
    assert.deepEqual(
      commands.map(({ kind }) => kind),
      way === 'period' ? ['void'] : [],
    );
    assert.partialDeepStrictEqual(one.now(), { status: 'none', plan: null, open: null });
  }
  const two = subscribed('pro');
  two.answer({ name: 'cancel' }, start);
  two.answer({ name: 'switch', plan: 'enterprise' }, start);
  two.answer({ name: 'undo_cancel' }, start);
  two.declined(start);
  assert.equal(two.now().status, 'active');
});

test('money for an invoice that is not open any more is not lost: it pays the next one, or goes back to a team without a subscription', () => {
  const late = { name: 'payment_succeeded', invoice_id: 'team_1 evt_0', payment_id: 'pay_late', cents: 500 } as const;
  const one = subscribed('starter');
  one.answer(late, start);
  assert.equal(one.now().prepaid_cents, 500);
  assert.equal(one.ring().documents[0]?.bill.due_cents, 2_400);
  const other = team();
  const { commands } = other.answer(late, start);
  assert.deepEqual([commands[0]?.kind, other.now().prepaid_cents], ['pay_back', 0]);
});

test('news of an older try change nothing, and a payment of another amount is refused', () => {
  const one = subscribed('pro');
  one.ring();
  const renewed = periodAt(anchor, 1).start;
  one.declined(renewed);
  one.ring();
  const { invoice_id } = one.charges.at(-1)!;
  one.answer({ name: 'payment_failed', invoice_id, attempt: 1 }, renewed);
  assert.equal(one.now().status, 'charging');
  assert.throws(() => one.answer({ name: 'payment_succeeded', invoice_id, payment_id: 'pay_1', cents: 1 }, renewed), /wrong_amount/);
});

test('a timer that rings early, twice or for another time changes nothing', () => {
  const one = subscribed('pro');
  const before = one.now();
  for (const name of ['period_ended', 'retry_due', 'grace_over', 'usage_due', 'payment_wait_over'] as const) {
    assert.throws(() => one.answer({ name }, start + 1), /not_due/);
  }
  assert.deepEqual(one.now(), before);
  one.ring();
  assert.throws(() => one.answer({ name: 'period_ended' }, periodAt(anchor, 1).start + 1), /not_due/);
  assert.equal(one.now().period, 1);
});

test('20 switches in one period are the limit, and the next period has its own', () => {
  const one = subscribed('enterprise');
  const flip = (at: number) => {
    one.answer({ name: 'switch', plan: one.now().plan === 'pro' ? 'enterprise' : 'pro' }, at);
    if (one.now().status === 'switching') one.paid(at);
  };
  for (let count = 0; count < 20; count++) flip(start + count * dayMs);
  assert.throws(() => flip(start + 21 * dayMs), /switches_used_up/);
  one.ring();
  if (one.now().status === 'charging') one.paid(periodAt(anchor, 1).start);
  flip(periodAt(anchor, 1).start + dayMs);
});

test('a payment that is told twice under different ids has a key in common, and so has a declined try', () => {
  const told = { at: start, name: 'payment_succeeded', invoice_id: 'inv_1', payment_id: 'pay_1', cents: 5 } as const;
  const failed = { at: start, name: 'payment_failed', invoice_id: 'inv_1', attempt: 1 } as const;
  for (const event of [told, failed]) {
    const [first, again] = [idempotencyKeys({ ...event, id: 'evt_1' }), idempotencyKeys({ ...event, id: 'evt_2' })];
    assert.equal(first.filter((key) => again.includes(key)).length, 1);
  }
});

test('a step changes neither the account nor anything in it', () => {
  const one = subscribed('pro');
  const before = one.now();
  const copy = structuredClone(before);
  one.answer(usage('2026-11', 36_000n), start + 29 * dayMs);
  one.ring();
  assert.deepEqual(before, copy);
});
