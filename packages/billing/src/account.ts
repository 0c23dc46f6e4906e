import type { PlanId } from '@paddock/contract/plans';
import type { Bill } from './bill.ts';
import type { Cents } from './cents.ts';
import type { Entry } from './ledger.ts';
import type { ClosedMonth } from './lines.ts';
import { type Instant, type Period, periodAt } from './period.ts';
import type { Notice, Status } from './states.ts';
import type { Month } from './usage.ts';

/** The whole state that decides the next outcome. `step` never changes an account, it returns a new one. */
export interface Account {
  team_id: string;
  status: Status;
  /** The plan in force and when its subscription began; null on the free plan. */
  plan: PlanId | null;
  anchor: Instant | null;
  /** The number of the period, starting at 0, and the number of switches in it. */
  period: number;
  switches: number;
  /** The plan whose payment is in progress. */
  wanted: PlanId | null;
  open: OpenInvoice | null;
  /** Closed months that are not on an invoice yet, and the last month that was closed. */
  usage: ClosedMonth[];
  closed_through: Month | null;
  /** The team's remaining credit and prepaid money, as recorded in the ledger. */
  credit_cents: Cents;
  prepaid_cents: Cents;
}
export interface OpenInvoice {
  id: string;
  /** A draft is not owed and has no number. It is issued when it is paid. */
  is_draft: boolean;
  since: Instant;
  attempt: number;
  retries: number;
  bill: Bill;
  usage: ClosedMonth[];
}

/** An issued document, which never changes. The caller numbers documents in order, in the transaction that writes them. */
export interface Document {
  id: string;
  team_id: string;
  kind: 'invoice' | 'credit_note';
  at: Instant;
  bill: Bill;
  /** The invoice that a credit note reverses; null for one about a switch, and for invoices. */
  corrects: string | null;
}
/**
 * Requests to the payment provider, sent after the outcome is written, in this order for one team. A key makes it safe to send a request
 * again. All attempts for an invoice belong to one payment, which succeeds at most once and not after it is void.
 */
export type ProviderCommand =
  | { kind: 'charge'; key: string; invoice_id: string; attempt: number; cents: Cents }
  | { kind: 'void'; key: string; invoice_id: string }
  | { kind: 'pay_back'; key: string; payment_id: string; cents: Cents };

export interface Outcome {
  account: Account;
  documents: Document[];
  entries: Entry[];
  commands: ProviderCommand[];
  notices: Notice[];
}

/** The id of the document that an event makes. */
export const documentId = (team_id: string, event_id: string): string => `${team_id} ${event_id}`;
export const eventOfDocument = (team_id: string, document_id: string): string => document_id.slice(documentId(team_id, '').length);

export function newAccount(team_id: string): Account {
  const nothing = { plan: null, anchor: null, wanted: null, open: null, closed_through: null };
  return { team_id, status: 'none', ...nothing, period: 0, switches: 0, usage: [], credit_cents: 0, prepaid_cents: 0 };
}

/** Nothing was paid, is to be paid, or is left of a payment. */
export const isBlank = ({ status, usage, credit_cents, prepaid_cents }: Account): boolean =>
  status === 'none' && usage.length === 0 && credit_cents === 0 && prepaid_cents === 0;

/** The current period, or the one whose end was not handled yet; undefined on the free plan. */
export function runningPeriod({ anchor, period }: Account): Period | undefined {
  return anchor === null ? undefined : periodAt(anchor, period);
}
