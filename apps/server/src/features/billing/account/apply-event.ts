import { type Account, type BillingEvent, idempotencyKeys, type Outcome, type Refusal, runningPeriod, step } from '@paddock/billing';
import { recordAction } from '../../../audit/record-action.ts';
import { recordSystemAction } from '../../../audit/record-system-action.ts';
import type { Tx } from '../../../db/connect.ts';
import type { PaymentProvider } from '../../../payments/provider.ts';
import type { NotifyOutcome } from '../notices/notifier.ts';
import type { CustomerStore } from '../payments/customer-store.ts';
import { endsWhatWasPaid, isForeign } from './provider-change.ts';
import type { AccountRow, PaymentAttempt } from './rows.ts';
import type { AccountStore, Terms } from './store.ts';

export interface EventRequest {
  /** Created from the locked account; undefined: there is nothing to apply. */
  event: (account: Account) => BillingEvent | undefined;
  /** Why a payment was declined, in the words of the provider. */
  reason?: string;
  /** A person's API call causes the event: it is recorded as that person's action. */
  isOfPerson?: boolean;
  /** Further writes in the same transaction; skipped if the event was applied before, or is refused. */
  alsoWrite?: (tx: Tx) => Promise<unknown>;
}
/** The resulting account; `refused` if the event was refused and nothing was written. */
export interface AppliedEvent {
  row: AccountRow;
  refused?: Refusal;
}
export type ApplyEvent = (team_id: string, happening: EventRequest) => Promise<AppliedEvent | undefined>;
export type ApplyEventInTx = (tx: Tx, team_id: string, happening: EventRequest) => Promise<AppliedEvent | undefined>;

interface Deps {
  store: AccountStore;
  customers: Pick<CustomerStore, 'dropMethod'>;
  terms: () => Terms;
  tell: NotifyOutcome;
  provider: Pick<PaymentProvider, 'id' | 'pollAfterMs'>;
  now: () => Date;
}

/**
 * Applies an event to a team in one transaction: account, keys, numbered documents, entries, outbox messages, notices and mails. An event that was
 * applied before changes nothing. Undefined for a team that does not exist; for a deleted team only payments are applied.
 */
export function createApplyEvent({ store, customers, terms, tell, provider, now }: Deps): { handle: ApplyEvent; within: ApplyEventInTx } {
  const within: ApplyEventInTx = async (tx, team_id, happening) => {
    const locked = await store.lock(tx, team_id);
    if (!locked) return undefined;
    const before = await atThisProvider(tx, locked);
    const event = happening.event(before.account);
    if (!event || (before.gone_at !== null && !isOfPayment(event))) return { row: before };
    return answer(tx, { before, event, happening });
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
    const { row } = await answer(tx, { before: { ...before, provider: provider.id }, event, happening: { event: () => event } });
    await store.dropOrders(tx, team_id, at);
    await store.dropSpans(tx, team_id);
    return row;
  }

  async function answer(tx: Tx, { before, event, happening }: { before: AccountRow; event: BillingEvent; happening: EventRequest }) {
    const { team_id } = before.account;
    const keys = idempotencyKeys(event);
    if (await store.isAnswered(tx, team_id, keys)) return { row: before };
    const outcome = step(before.account, event, terms());
    if ('refused' in outcome) return { row: before, refused: outcome.refused };
    const after: AccountRow = {
      ...before,
      account: outcome.account,
      subscription_id: subscriptionOf(before, outcome, event),
      payment: paymentAfter(before, outcome, { event, reason: happening.reason }),
    };
    // A team without a plan does not use the declined method for anything: the next selection asks for another.
    if (isFirstDeclined(before.account, outcome.account, event)) await customers.dropMethod(tx, team_id, before.account.open?.since ?? 0);
    await happening.alsoWrite?.(tx);
    await store.writeKeys(tx, team_id, { keys, at: event.at });
    const isUndecided = after.payment?.state === 'running' || after.payment?.state === 'needs_confirmation';
    await store.write(tx, after, isUndecided ? event.at + provider.pollAfterMs : null);
    await writeSpan(tx, before.account, { after: outcome.account, at: event.at });
    const numbers = new Map<string, number>();
    for (const document of outcome.documents) numbers.set(document.id, await store.writeDocument(tx, document, terms()));
    for (const entry of outcome.entries) await store.writeEntry(tx, entry);
    for (const { key, ...body } of outcome.orders) await store.writeOrder(tx, team_id, { key, at: event.at, body });
    if (before.gone_at === null) await tell(tx, { before, after, outcome, event, numbers });
    // failpoint: billing-written
    await record(tx, { before, after, outcome, event, isOfPerson: happening.isOfPerson === true });
    return { row: after };
  }

  async function writeSpan(tx: Tx, before: Account, { after, at }: { after: Account; at: number }) {
    if (before.anchor === null && after.anchor !== null) await store.beginSpan(tx, after.team_id, after.anchor);
    if (before.anchor !== null && after.anchor === null) await store.endSpan(tx, after.team_id, at);
  }

  return { handle: (team_id, happening) => store.begin((tx) => within(tx, team_id, happening)), within };
}

const isFirstDeclined = (before: Account, after: Account, { name }: BillingEvent) =>
  name === 'payment_failed' && before.status === 'incomplete' && after.status === 'none';

const isOfPayment = ({ name }: BillingEvent) =>
  name === 'payment_succeeded' || name === 'payment_failed' || name === 'payment_needs_confirmation';

/** A subscription is identified by the event that selected it: the id of its first invoice contains the event's id. */
function subscriptionOf(before: AccountRow, { account }: Outcome, event: BillingEvent): string | null {
  if (account.anchor === null) return null;
  if (before.account.anchor !== null) return before.subscription_id;
  return before.account.open?.id.slice(account.team_id.length + 1) ?? event.id;
}

function paymentAfter(
  { account: before, payment }: AccountRow,
  { account, orders }: Outcome,
  { event, reason }: { event: BillingEvent; reason: string | undefined },
): PaymentAttempt | null {
  const charge = orders.findLast((order) => order.kind === 'charge');
  if (charge) return { invoice_id: charge.invoice_id, attempt: charge.attempt, state: 'running', reason: null };
  const { open } = before;
  const about = open && { invoice_id: open.id, attempt: open.attempt };
  if (event.name === 'payment_succeeded' && event.invoice_id === open?.id) return { ...about!, state: 'paid', reason: null };
  if (event.name === 'payment_failed' || event.name === 'payment_needs_confirmation') {
    if (event.invoice_id !== open?.id || event.attempt !== open.attempt) return payment;
    const isDeclined = event.name === 'payment_failed';
    return { ...about!, state: isDeclined ? 'declined' : 'needs_confirmation', reason: isDeclined ? (reason ?? null) : null };
  }
  if (event.name === 'provider_changed') return null;
  // An abandoned invoice has no pending payment.
  return account.open === null && payment?.state !== 'declined' && payment?.state !== 'paid' ? null : payment;
}

interface AuditInput {
  before: AccountRow;
  after: AccountRow;
  outcome: Outcome;
  event: BillingEvent;
  isOfPerson: boolean;
}

async function record(tx: Tx, { before, after, outcome, event, isOfPerson }: AuditInput): Promise<void> {
  const { team_id, status, plan } = after.account;
  if (isOfPerson) return recordAction(tx, team_id, { output: { status, plan } });
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
