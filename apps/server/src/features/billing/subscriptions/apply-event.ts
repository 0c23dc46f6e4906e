import { type BillingEvent, eventOfDocument, idempotencyKeys, type Outcome, type Refusal, runningPeriod, step } from '@paddock/billing';
import { recordAction } from '../../../audit/record-action.ts';
import { recordSystemAction } from '../../../audit/record-system-action.ts';
import type { Tx } from '../../../db/connect.ts';
import type { PaymentProvider } from '../../../payments/provider.ts';
import type { NotifyOutcome } from './notices.ts';
import type { OutboxStore } from './outbox-store.ts';
import { endsWhatWasPaid, isForeign } from './provider-change.ts';
import type { AccountRow, AccountStore, Change, CustomerStore, PaymentAttempt, Terms } from './store.ts';

export interface EventRequest {
  /** Created from the locked account; undefined: there is nothing to apply. */
  event: (row: AccountRow) => BillingEvent | undefined;
  /** Why a payment was declined, in the words of the provider. */
  reason?: string | null;
  /** A person's API call causes the event: it is recorded as that person's action. */
  isOfPerson?: boolean;
  /** Further checks and writes in the same transaction, which an error rolls back; skipped if the event was applied before, or is refused. */
  within?: ((tx: Tx, outcome: Outcome) => Promise<unknown>) | undefined;
}
/** The resulting account; `refused` if the event was refused and nothing was written. */
interface AppliedEvent {
  row: AccountRow;
  refused?: Refusal;
}
export type ApplyEvent = (team_id: string, request: EventRequest) => Promise<AppliedEvent | undefined>;
export type ApplyEventInTx = (tx: Tx, team_id: string, request: EventRequest) => Promise<AppliedEvent | undefined>;

interface Deps {
  store: AccountStore;
  outbox: Pick<OutboxStore, 'append' | 'dropAll'>;
  customers: Pick<CustomerStore, 'dropMethod'>;
  terms: () => Terms;
  notify: NotifyOutcome;
  provider: Pick<PaymentProvider, 'id' | 'pollAfterMs'>;
  now: () => Date;
}

/**
 * Applies an event to a team in one transaction: account, keys, numbered documents, entries, outbox messages, notices and mails. An event that was
 * applied before changes nothing. Undefined for a team that does not exist; for a deleted team only payments are applied.
 */
export function createApplyEvent(deps: Deps): { applyEvent: ApplyEvent; applyEventInTx: ApplyEventInTx } {
  const { store, outbox, customers, terms, notify, provider, now } = deps;

  const applyEventInTx: ApplyEventInTx = async (tx, team_id, request) => {
    const locked = await store.lock(tx, team_id);
    if (!locked) return undefined;
    const before = await atThisProvider(tx, locked);
    const event = request.event(before);
    if (!event || (before.gone_at !== null && !isOfPayment(event))) return { row: before };
    return applyTo(tx, before, { ...request, event });
  };

  /** The account after ending what another provider's payments had paid for, if they do not count here. A deleted team keeps its state. */
  async function atThisProvider(tx: Tx, before: AccountRow): Promise<AccountRow> {
    if (before.gone_at !== null || before.provider === provider.id) return before;
    const { team_id } = before.account;
    if (!isForeign(before, provider.id)) {
      if (before.provider !== null) await store.setProvider(tx, team_id, provider.id);
      return { ...before, provider: provider.id };
    }
    if (!endsWhatWasPaid(before, provider.id)) return before;
    const at = now().getTime();
    const event: BillingEvent = { id: `provider ${provider.id} ${at}`, at, name: 'provider_changed' };
    const { row } = await applyTo(tx, { ...before, provider: provider.id }, { event });
    await outbox.dropAll(tx, team_id, at);
    await store.dropSpans(tx, team_id);
    return row;
  }

  async function applyTo(
    tx: Tx,
    before: AccountRow,
    request: Omit<EventRequest, 'event'> & { event: BillingEvent },
  ): Promise<AppliedEvent> {
    const { event, reason = null } = request;
    const { team_id } = before.account;
    const keys = idempotencyKeys(event);
    if (await store.isAnswered(tx, team_id, keys)) return { row: before };
    const outcome = step(before.account, event, terms());
    if ('refused' in outcome) return { row: before, refused: outcome.refused };
    const { account, documents, entries, commands } = outcome;
    const after: AccountRow = {
      ...before,
      account,
      subscription_id: subscriptionAfter(before, outcome, event),
      payment: paymentAfter(before, outcome, { event, reason }),
    };
    const change: Change = { before, after, outcome, event };
    if (isFirstDeclined(change)) await customers.dropMethod(tx, team_id, before.account.open?.since ?? 0);
    await request.within?.(tx, outcome);
    await store.writeKeys(tx, team_id, { keys, at: event.at });
    await store.write(tx, after, isUndecided(after) ? event.at + provider.pollAfterMs : null);
    if (before.account.anchor === null && account.anchor !== null) await store.beginSpan(tx, team_id, account.anchor);
    if (before.account.anchor !== null && account.anchor === null) await store.endSpan(tx, team_id, event.at);
    const numbers = new Map<string, number>();
    for (const document of documents) numbers.set(document.id, await store.writeDocument(tx, document, terms()));
    for (const entry of entries) await store.writeEntry(tx, entry);
    for (const message of commands) await outbox.append(tx, team_id, { message, at: event.at });
    if (before.gone_at === null) await notify(tx, { ...change, numbers });
    // failpoint: billing-written
    if (request.isOfPerson) await recordAction(tx, team_id, { output: { status: account.status, plan: account.plan } });
    else await recordChange(tx, change);
    return { row: after };
  }

  return { applyEvent: (team_id, request) => store.begin((tx) => applyEventInTx(tx, team_id, request)), applyEventInTx };
}

const isOfPayment = ({ name }: BillingEvent) =>
  name === 'payment_succeeded' || name === 'payment_failed' || name === 'payment_needs_confirmation';

/** A team without a plan does not use the declined method for anything: the next selection asks for another. */
const isFirstDeclined = ({ before, after, event }: Change) =>
  event.name === 'payment_failed' && before.account.status === 'incomplete' && after.account.status === 'none';

const isUndecided = ({ payment }: AccountRow) => payment?.state === 'running' || payment?.state === 'needs_confirmation';

/** A subscription is identified by the event that selected it, which made its first invoice. */
function subscriptionAfter(before: AccountRow, { account }: Outcome, event: BillingEvent): string | null {
  if (account.anchor === null) return null;
  if (before.account.anchor !== null) return before.subscription_id;
  const { open } = before.account;
  return open === null ? event.id : eventOfDocument(account.team_id, open.id);
}

/** The state of the open invoice's newest attempt after an event. */
const attemptStates = {
  payment_succeeded: 'paid',
  payment_failed: 'declined',
  payment_needs_confirmation: 'needs_confirmation',
} as const satisfies Partial<Record<BillingEvent['name'], PaymentAttempt['state']>>;

function paymentAfter(
  { account: { open }, payment }: AccountRow,
  { account, commands }: Outcome,
  { event, reason }: { event: BillingEvent; reason: string | null },
): PaymentAttempt | null {
  const charge = commands.findLast((command) => command.kind === 'charge');
  if (charge) return { invoice_id: charge.invoice_id, attempt: charge.attempt, state: 'running', reason: null };
  if ('invoice_id' in event) {
    const isOpen = open !== null && event.invoice_id === open.id;
    const isNewest = event.name === 'payment_succeeded' || event.attempt === open?.attempt;
    if (isOpen && isNewest) return { invoice_id: open.id, attempt: open.attempt, state: attemptStates[event.name], reason };
    if (event.name !== 'payment_succeeded') return payment;
  }
  if (event.name === 'provider_changed') return null;
  // An abandoned invoice has no pending payment.
  return account.open === null && payment?.state !== 'declined' && payment?.state !== 'paid' ? null : payment;
}

async function recordChange(tx: Tx, { before, after, outcome, event }: Change): Promise<void> {
  const { team_id, status, plan } = after.account;
  const isChange = status !== before.account.status || plan !== before.account.plan || outcome.documents.length > 0;
  if (!isChange || after.gone_at !== null) return;
  const period = runningPeriod(after.account);
  const until = period === undefined ? null : new Date(period.end).toISOString();
  await recordSystemAction(tx, {
    team_id,
    action: 'subscription.advance',
    id: team_id,
    output: { event: event.name, status, plan, until },
  });
}
