import {
  type Account,
  type Bill,
  type BillingEvent,
  type Document,
  type Outcome,
  periodAt,
  type Refusal,
  runningPeriod,
  step,
} from '@paddock/billing';
import type { Quote } from '@paddock/contract';
import { type PlanId, plans } from '@paddock/contract/plans';
import { isCancelled } from './billing-state.ts';

type QuoteInput = { plan: PlanId; at: number; tax_basis_points: number };

/** The result of selecting a plan, or switching to it, at an instant. Computed only; nothing is written. */
export function previewSwitch(account: Account, { plan, at, tax_basis_points }: QuoteInput): Quote | { refused: Refusal } {
  const event: BillingEvent = { id: 'quote', at, name: account.plan === null ? 'select' : 'switch', plan };
  const outcome = step(account, event, { tax_basis_points });
  if ('refused' in outcome) return outcome;
  const [document] = outcome.documents;
  const isCredit = document?.kind === 'credit_note';
  const bill = pickBill(outcome, document);
  const period = runningPeriod(outcome.account) ?? periodAt(at, 0);
  return {
    plan,
    kind: resolveKind(event, isCredit),
    undoes_cancellation: isCancelled(account),
    lines: bill.lines.map(({ text, cents }) => ({ text, amount: cents / 100 })),
    credit_used: isCredit ? 0 : bill.credit_cents / 100,
    tax: bill.tax_cents / 100,
    tax_percent: tax_basis_points / 100,
    due_now: bill.due_cents / 100,
    credited: isCredit ? -bill.sum_cents / 100 + 0 : 0,
    next_amount: plans[plan].price_cents / 100,
    next_at: new Date(period.end).toISOString(),
  };
}

/** The draft that would be charged; if nothing is due, or less, the document that would be issued at once. */
function pickBill({ account }: Outcome, document: Document | undefined): Bill {
  const bill = document?.bill ?? account.open?.bill;
  if (!bill) throw new TypeError('An answer to a selection has neither a draft nor a document.');
  return bill;
}

function resolveKind({ name }: BillingEvent, isCredit: boolean): Quote['kind'] {
  if (name === 'select') return 'select';
  return isCredit ? 'downgrade' : 'upgrade';
}
