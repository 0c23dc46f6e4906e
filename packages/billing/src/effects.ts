import { type PlanId, plans } from '@paddock/contract/plans';
import type { Account, Document, OpenInvoice, Outcome } from './account.ts';
import { documentId, runningPeriod } from './account.ts';
import { type Bill, creditBill, makeBill, reverseBill } from './bill.ts';
import type { BillingEvent } from './events.ts';
import {
  assertBalanced,
  chargePostings,
  type Entry,
  forfeitPostings,
  type Postings,
  paymentPostings,
  prepaidPostings,
  refundPostings,
  writeOffPostings,
} from './ledger.ts';
import { type Line, planLine, switchLines, usageLines } from './lines.ts';
import { type Period, periodAt, wholeSecond } from './period.ts';
import type { Effect } from './states.ts';

/** An outcome in progress. `outcome.account` is a copy that effects may change. */
export interface Draft {
  outcome: Outcome;
  event: BillingEvent;
  tax_basis_points: number;
}

/** Each effect may rely on what the table of transitions guarantees. `required` throws before anything is written if that is violated. */
export const applyEffect: Record<Effect, (draft: Draft) => void> = {
  quote_plan(draft) {
    const { event, outcome } = draft;
    const plan = readPlan(event);
    outcome.account.wanted = plan;
    open(draft, { lines: [planLine(plan, periodAt(wholeSecond(event.at), 0))], is_draft: true });
  },
  quote_switch(draft) {
    const { account } = draft.outcome;
    const to = readPlan(draft.event);
    account.wanted = to;
    open(draft, { lines: linesOfSwitch(draft, to), is_draft: true });
  },
  charge({ outcome }) {
    const invoice = required(outcome.account.open);
    const attempt = invoice.attempt + 1;
    outcome.account.open = { ...invoice, attempt };
    const { id: invoice_id, bill } = invoice;
    if (bill.due_cents > 0)
      outcome.commands.push({ kind: 'charge', key: `${invoice_id} ${attempt}`, invoice_id, attempt, cents: bill.due_cents });
  },
  settle(draft) {
    const { account } = draft.outcome;
    const invoice = required(account.open);
    if (invoice.is_draft) issue(draft, invoice);
    const { event } = draft;
    if (event.name === 'payment_succeeded') post(draft, { id: event.payment_id, kind: 'payment', postings: paymentPostings(event.cents) });
    account.open = null;
  },
  begin({ outcome: { account }, event }) {
    const [invoice, plan] = [required(account.open), required(account.wanted)];
    const anchor = wholeSecond(event.at);
    Object.assign(account, { plan, anchor, wanted: null, period: 0, switches: 0 });
    // The draft named the period as of the selection, and the payment may have succeeded later.
    account.open = { ...invoice, bill: { ...invoice.bill, lines: [planLine(plan, periodAt(anchor, 0))] } };
  },
  take_plan({ outcome: { account } }) {
    Object.assign(account, { plan: required(account.wanted), wanted: null, switches: account.switches + 1 });
  },
  drop({ outcome }) {
    voidPayment(outcome);
    Object.assign(outcome.account, { open: null, wanted: null });
  },
  credit_switch(draft) {
    const { account } = draft.outcome;
    const to = readPlan(draft.event);
    const bill = creditBill(linesOfSwitch(draft, to));
    write(draft, { id: documentId(account.team_id, draft.event.id), kind: 'credit_note', bill, corrects: null });
    Object.assign(account, { plan: to, switches: account.switches + 1 });
  },
  renew(draft) {
    const { account } = draft.outcome;
    Object.assign(account, { period: account.period + 1, switches: 0 });
    const usage = takeUsage(account);
    const lines = [planLine(required(account.plan), required(runningPeriod(account))), ...usage.flatMap(usageLines)];
    issue(draft, open(draft, { lines, is_draft: false, usage }));
  },
  count_retry({ outcome: { account } }) {
    const invoice = required(account.open);
    account.open = { ...invoice, retries: invoice.retries + 1 };
  },
  take_back(draft) {
    const { account } = draft.outcome;
    const invoice = required(account.open);
    voidPayment(draft.outcome);
    write(draft, { id: `${invoice.id} taken back`, kind: 'credit_note', bill: reverseBill(invoice.bill), corrects: invoice.id });
    account.usage = [...invoice.usage, ...account.usage];
    account.open = null;
  },
  end({ outcome: { account } }) {
    Object.assign(account, { plan: null, anchor: null, period: 0, switches: 0 });
  },
  note_usage({ outcome: { account }, event }) {
    if (event.name !== 'month_closed') throw new TypeError(`${event.name} brings no usage.`);
    const { month, quantities } = event;
    account.closed_through = month;
    if (usageLines(event).length > 0) account.usage = [...account.usage, { month, quantities }];
  },
  bill_usage(draft) {
    const usage = takeUsage(draft.outcome.account);
    issue(draft, open(draft, { lines: usage.flatMap(usageLines), is_draft: false, usage }));
  },
  keep_prepaid(draft) {
    const { event } = draft;
    if (event.name !== 'payment_succeeded') throw new TypeError(`${event.name} brings no money.`);
    post(draft, { id: event.payment_id, kind: 'payment', postings: prepaidPostings(event.cents) });
  },
  pay_back(draft) {
    const { event, outcome } = draft;
    if (event.name !== 'payment_succeeded') throw new TypeError(`${event.name} brings no money.`);
    const { payment_id, cents } = event;
    post(draft, { id: `${payment_id} paid back`, kind: 'refund', postings: refundPostings(cents) });
    outcome.commands.push({ kind: 'pay_back', key: `${payment_id} paid back`, payment_id, cents });
  },
  write_off(draft) {
    const { account } = draft.outcome;
    const invoice = required(account.open);
    voidPayment(draft.outcome);
    post(draft, { id: `${invoice.id} written off`, kind: 'write_off', postings: writeOffPostings(invoice.bill.due_cents) });
    account.open = null;
  },
  forfeit(draft) {
    const { account } = draft.outcome;
    post(draft, { id: `${draft.event.id} forfeited`, kind: 'forfeit', postings: forfeitPostings(account) });
    account.usage = [];
  },
};

function open(draft: Draft, about: { lines: Line[]; is_draft: boolean; usage?: OpenInvoice['usage'] }): OpenInvoice {
  const { outcome, event, tax_basis_points } = draft;
  const { team_id, credit_cents, prepaid_cents } = outcome.account;
  const bill = makeBill(about.lines, { credit_cents, prepaid_cents, tax_basis_points });
  const { is_draft, usage = [] } = about;
  const invoice = { id: documentId(team_id, event.id), is_draft, since: event.at, attempt: 0, retries: 0, bill, usage };
  outcome.account.open = invoice;
  return invoice;
}

function issue(draft: Draft, { id, bill }: { id: string; bill: Bill }): void {
  write(draft, { id, kind: 'invoice', bill, corrects: null });
}

function write(draft: Draft, about: Omit<Document, 'team_id' | 'at'>): void {
  const { outcome, event } = draft;
  outcome.documents.push({ ...about, team_id: outcome.account.team_id, at: event.at });
  post(draft, { id: about.id, kind: about.kind === 'invoice' ? 'charge' : 'credit', postings: chargePostings(about.bill) });
}

/** Posts an entry and applies it to the balances of the account, which are never changed otherwise. */
function post({ outcome, event }: Draft, about: { id: string; kind: Entry['kind']; postings: Postings }): void {
  const { account } = outcome;
  if (Object.keys(about.postings).length === 0) return;
  const entry = { ...about, team_id: account.team_id, at: event.at };
  assertBalanced(entry);
  outcome.entries.push(entry);
  account.credit_cents -= entry.postings.credit ?? 0;
  account.prepaid_cents -= entry.postings.prepaid ?? 0;
}

function voidPayment({ account, commands }: Outcome): void {
  const { id, bill } = required(account.open);
  if (bill.due_cents > 0) commands.push({ kind: 'void', key: `${id} void`, invoice_id: id });
}

function takeUsage(account: Account): OpenInvoice['usage'] {
  const { usage } = account;
  account.usage = [];
  return usage;
}

function linesOfSwitch({ outcome: { account }, event }: Draft, to: PlanId): Line[] {
  const period: Period = required(runningPeriod(account));
  // An event that was delayed beyond the period's end is worth nothing of it; one from before its start is worth all of it.
  const at = Math.min(Math.max(event.at, period.start), period.end);
  return switchLines({ from: required(account.plan), to }, { period, at });
}

function readPlan(event: BillingEvent): PlanId {
  if (event.name !== 'select' && event.name !== 'switch') throw new TypeError(`${event.name} names no plan.`);
  if (!Object.hasOwn(plans, event.plan)) throw new RangeError(`'${event.plan}' is no plan.`);
  return event.plan;
}

function required<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new TypeError('The account lacks what its status promises.');
  return value;
}
