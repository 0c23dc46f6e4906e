import { type BillingEvent, graceDays, type Notice, nextDeadline, type Outcome, paymentWaitHours, runningPeriod } from '@paddock/billing';
import type { PlanId } from '@paddock/contract/plans';
import type { AccountRow } from '../account/rows.ts';

const hourMs = 3_600_000;

/** The stored facts of a notice: instants in milliseconds, money in cents. */
export interface NoticeFacts {
  plan: PlanId | null;
  /** Amount of the payment that the notice is about, or of the credit for a smaller plan. */
  cents: number;
  reason: string | null;
  /** The invoice or credit note, and its number; null for a draft that was dropped. */
  document_id: string | null;
  number: number | null;
  period_end: number | null;
  next_try_at: number | null;
  /** Until then it can be paid. */
  ends_at: number | null;
  purpose: 'first' | 'switch' | 'renewal' | 'usage';
  /** A switch revoked a pending cancellation. Notices of earlier releases lack the field. */
  undoes_cancellation?: boolean;
}
export interface NoticeInput {
  before: AccountRow;
  after: AccountRow;
  outcome: Outcome;
  event: BillingEvent;
  /** The numbers of the documents of the outcome, by id. */
  numbers: ReadonlyMap<string, number>;
}

/** The facts of a notice. The number of an invoice that was issued earlier is unknown here. */
export function noticeFacts(notice: Notice, { before, after, outcome, event, numbers }: NoticeInput): NoticeFacts {
  const invoice = before.account.open ?? after.account.open;
  const [document] = outcome.documents;
  const { account } = after;
  const due = nextDeadline(account);
  const isIssued = invoice !== null && (!invoice.is_draft || numbers.has(invoice.id));
  const document_id = document?.id ?? (isIssued ? invoice.id : null);
  return {
    plan: before.account.wanted ?? account.wanted ?? account.plan ?? before.account.plan,
    cents: centsOf(notice, { before, after, outcome, event }),
    reason: after.payment?.reason ?? null,
    document_id,
    number: (document_id === null ? undefined : numbers.get(document_id)) ?? null,
    period_end: runningPeriod(account)?.end ?? null,
    next_try_at: due?.name === 'retry_due' ? due.at : null,
    ends_at: endsAt(account),
    undoes_cancellation: notice === 'switched' && (before.account.status === 'cancelling' || before.account.status === 'resuming'),
    purpose: purposeOf(before.account.status === 'none' ? account : before.account),
  };
}

/** Until when the open invoice can be paid; null if there is no end. */
export function endsAt({ status, open }: AccountRow['account']): number | null {
  if (open === null || status === 'owing') return null;
  const isDraft = status === 'incomplete' || status === 'switching' || status === 'resuming';
  const hours = isDraft ? paymentWaitHours : graceDays * 24;
  return open.since + hours * hourMs;
}

/** The purpose of an account's open invoice. */
export function purposeOf({ status }: Pick<AccountRow['account'], 'status'>): NoticeFacts['purpose'] {
  if (status === 'incomplete' || status === 'none') return 'first';
  if (status === 'owing') return 'usage';
  return status === 'charging' || status === 'past_due' ? 'renewal' : 'switch';
}

function centsOf(notice: Notice, { before, after, outcome, event }: Omit<NoticeInput, 'numbers'>): number {
  if (event.name === 'payment_succeeded') return event.cents;
  const [document] = outcome.documents;
  if (notice === 'switched' && document?.kind === 'credit_note') return -document.bill.sum_cents;
  return (before.account.open ?? after.account.open ?? document)?.bill.due_cents ?? 0;
}
