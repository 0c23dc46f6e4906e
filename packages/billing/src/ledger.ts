import type { Bill } from './bill.ts';
import { type Cents, sumCents } from './cents.ts';
import type { Instant } from './period.ts';

/**
 * The accounts of the ledger. Debits are positive, credits negative: `receivable` and `cash` are positive; `credit` (refunded prices) and
 * `prepaid` (money received without an open invoice) are debts to the team and negative, like `revenue` and `tax`. `written_off` is money
 * that will not be paid.
 */
const ledgerAccounts = ['receivable', 'cash', 'credit', 'prepaid', 'revenue', 'tax', 'written_off'] as const;
export type LedgerAccount = (typeof ledgerAccounts)[number];
export type Postings = Partial<Record<LedgerAccount, Cents>>;
/** Never changed or removed: a mistake is reversed by another entry. The id names the cause, so that each cause is entered once. */
export interface Entry {
  id: string;
  team_id: string;
  kind: 'charge' | 'payment' | 'credit' | 'refund' | 'write_off' | 'forfeit';
  at: Instant;
  postings: Postings;
}

/** The postings of an issued invoice, or of the mirror of a reversed one. */
export function chargePostings(bill: Bill): Postings {
  const revenue = -bill.sum_cents;
  const receivable = bill.due_cents;
  return without0({ receivable, prepaid: bill.prepaid_cents, credit: bill.credit_cents, revenue, tax: -bill.tax_cents });
}

export const paymentPostings = (cents: Cents): Postings => without0({ cash: cents, receivable: -cents });
export const prepaidPostings = (cents: Cents): Postings => without0({ cash: cents, prepaid: -cents });
export const refundPostings = (cents: Cents): Postings => without0({ prepaid: cents, cash: -cents });
export const writeOffPostings = (cents: Cents): Postings => without0({ written_off: cents, receivable: -cents });

/** Balances of a team that are forfeited are no longer debts. */
export const forfeitPostings = ({ credit_cents, prepaid_cents }: { credit_cents: Cents; prepaid_cents: Cents }) =>
  without0({ credit: credit_cents, prepaid: prepaid_cents, revenue: -(credit_cents + prepaid_cents) });

/** The balance of each account, for one team if its id is given. */
export function balances(entries: readonly Entry[], team_id?: string): Record<LedgerAccount, Cents> {
  const own = team_id === undefined ? entries : entries.filter((entry) => entry.team_id === team_id);
  const sums = ledgerAccounts.map((place) => [place, sumCents(own.map((entry) => entry.postings[place] ?? 0))]);
  return Object.fromEntries(sums) as Record<LedgerAccount, Cents>;
}

/** Throws a RangeError for an entry whose postings do not sum to zero. */
export function assertBalanced(entry: Entry): void {
  const sum = sumCents(Object.values(entry.postings));
  if (sum !== 0) throw new RangeError(`The entry ${entry.id} is off by ${sum} cents.`);
}

/** The errors in the entries as sentences; empty if there are none. */
export function findImbalances(entries: readonly Entry[]): string[] {
  const found: string[] = [];
  const ids = new Set<string>();
  for (const entry of entries) {
    const sum = sumCents(Object.values(entry.postings));
    if (sum !== 0) found.push(`The entry ${entry.id} is off by ${sum} cents.`);
    if (ids.has(entry.id)) found.push(`The entry ${entry.id} is there twice.`);
    ids.add(entry.id);
  }
  for (const team_id of new Set(entries.map((entry) => entry.team_id))) found.push(...findNegativeBalances(team_id, entries));
  return found;
}

/** Checks after each entry that nobody has paid or received a negative amount. */
function findNegativeBalances(team_id: string, entries: readonly Entry[]): string[] {
  const found: string[] = [];
  const now: Record<LedgerAccount, Cents> = { receivable: 0, cash: 0, credit: 0, prepaid: 0, revenue: 0, tax: 0, written_off: 0 };
  for (const entry of entries) {
    if (entry.team_id !== team_id) continue;
    for (const place of ledgerAccounts) now[place] += entry.postings[place] ?? 0;
    for (const place of ['receivable', 'cash', 'written_off'] as const) {
      if (now[place] < 0) found.push(`After ${entry.id}, ${place} of ${team_id} is ${now[place]} cents.`);
    }
    for (const place of ['credit', 'prepaid'] as const) {
      if (now[place] > 0) found.push(`After ${entry.id}, ${team_id} has used ${now[place]} cents of ${place} that it did not have.`);
    }
  }
  return found;
}

function without0(postings: Postings): Postings {
  return Object.fromEntries(Object.entries(postings).filter(([, cents]) => cents !== 0));
}
