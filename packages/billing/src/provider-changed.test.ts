import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Account, isBlank, newAccount } from './account.ts';
import { nextDeadline } from './deadlines.ts';
import type { BillingEvent } from './events.ts';
import { balances, type Entry, findImbalances } from './ledger.ts';
import { type Status, statuses } from './states.ts';
import { step } from './step.ts';

type Named = BillingEvent extends infer One ? (One extends BillingEvent ? Omit<One, 'id' | 'at'> : never) : never;
type Told = Named | 'paid' | 'declined' | 'ring';

const usage: Told = { name: 'month_closed', month: '2026-10', quantities: { compute: 10n ** 15n, bandwidth: 0n, storage: 0n } };
const active: Told[] = [{ name: 'select', plan: 'pro' }, 'paid'];
/** A plan with credit from a switch to a smaller one, and usage that is not invoiced yet. */
const rich: Told[] = [{ name: 'select', plan: 'enterprise' }, 'paid', { name: 'switch', plan: 'starter' }, usage];
/** Events that lead to each status. */
const ways: Record<Status, Told[]> = {
  none: [...rich.slice(0, 3), { name: 'cancel' }, 'ring'],
  incomplete: [{ name: 'select', plan: 'pro' }],
  active: rich,
  switching: [...active, { name: 'switch', plan: 'enterprise' }],
  cancelling: [...rich, { name: 'cancel' }],
  resuming: [...active, { name: 'cancel' }, { name: 'switch', plan: 'enterprise' }],
  charging: [...active, 'ring'],
  past_due: [...active, 'ring', 'declined'],
  owing: [...active, usage, { name: 'cancel' }, 'ring', 'ring'],
};

for (const status of Object.keys(statuses) as Status[]) {
  test(`another provider leaves nothing of an account that is ${status}, and a ledger that adds up`, () => {
    let account: Account = newAccount('team_1');
    let at = Date.parse('2026-10-31T12:00:00Z');
    let count = 0;
    const entries: Entry[] = [];
    const answer = (event: Named) => {
      const outcome = step(account, { ...event, id: `evt_${++count}`, at }, { tax_basis_points: 1_900 });
      if ('refused' in outcome) throw new Error(outcome.refused);
      account = outcome.account;
      entries.push(...outcome.entries);
      return outcome;
    };
    for (const told of ways[status]) {
      const open = account.open!;
      if (told === 'paid')
        answer({ name: 'payment_succeeded', invoice_id: open.id, payment_id: `pay_${count}`, cents: open.bill.due_cents });
      else if (told === 'declined') answer({ name: 'payment_failed', invoice_id: open.id, attempt: open.attempt });
      else if (told === 'ring') {
        const due = nextDeadline(account)!;
        at = Math.max(at, due.at);
        answer({ name: due.name });
      } else answer(told);
    }
    assert.equal(account.status, status);
    assert.ok(!isBlank(account));

    const { notices, documents } = answer({ name: 'provider_changed' });
    assert.deepEqual({ notices, documents }, { notices: ['provider_changed'], documents: [] });
    assert.ok(isBlank(account));
    const { plan, anchor, open, wanted } = account;
    assert.deepEqual({ plan, anchor, open, wanted }, { plan: null, anchor: null, open: null, wanted: null });
    assert.deepEqual(findImbalances(entries), []);
    const { credit, prepaid, receivable } = balances(entries);
    assert.deepEqual([credit, prepaid, receivable].map(Math.abs), [0, 0, 0]);
    assert.equal(nextDeadline(account), undefined);
  });
}
