import { documentNumber, formatMoney, graceDays, type Notice, nextDeadline, paymentWaitHours, runningPeriod } from '@paddock/billing';
import type { BillingNotice } from '@paddock/contract';
import { plans } from '@paddock/contract/plans';
import { hourMs } from '@paddock/contract/time';
import type { Tx } from '../../../db/connect.ts';
import type { SendMail } from '../../../mail/mails.ts';
import type { NoticeFacts, NoticeRow, NoticeStore, Person } from './notice-store.ts';
import type { AccountRow, AccountStore, Change } from './store.ts';

/** `numbers`: the numbers of the outcome's documents, by id. */
interface NoticeInput extends Change {
  numbers: ReadonlyMap<string, number>;
}
export type NotifyOutcome = (tx: Tx, change: NoticeInput) => Promise<void>;
interface Deps {
  notices: NoticeStore;
  store: Pick<AccountStore, 'readDocumentNumber'>;
  sendMail: SendMail;
}

const receipts: readonly Notice[] = ['subscribed', 'switched', 'renewed', 'paid'];
const failures: readonly Notice[] = ['declined', 'not_confirmed', 'past_due', 'usage_unpaid'];

/** Writes the notices of an outcome, and queues the mails, in the transaction of the outcome. */
export function createNotifier({ notices, store, sendMail }: Deps): NotifyOutcome {
  return async (tx, change) => {
    const { before, after, outcome, event } = change;
    const { team_id } = after.account;
    // A problem is solved when its invoice is paid or dropped.
    if (before.account.open !== null && after.account.open === null) await notices.markRead(tx, team_id, problems);
    for (const kind of outcome.notices) {
      const about = await resolveFacts(tx, kind, change);
      await notices.add(tx, team_id, { kind, at: event.at, about });
      for (const person of await notices.people(tx, team_id)) await mail(tx, person, { kind, about });
    }
  };

  async function resolveFacts(tx: Tx, kind: Notice, change: NoticeInput): Promise<NoticeFacts> {
    const about = noticeFacts(kind, change);
    const isCredit = kind === 'switched' && change.outcome.documents[0]?.kind === 'credit_note';
    const { document_id } = about;
    const { team_id } = change.after.account;
    const number = document_id === null ? null : (about.number ?? (await store.readDocumentNumber(tx, team_id, document_id)) ?? null);
    return { ...about, number, reason: isCredit ? 'credit' : about.reason };
  }

  async function mail(tx: Tx, { name, email: to, email_verified }: Person, { kind, about }: { kind: Notice; about: NoticeFacts }) {
    const text = texts[kind](about);
    const amount = formatMoney(about.cents);
    const { number } = about;
    // A document contains texts that its team chose: it is only sent to a verified address.
    const document_id = email_verified ? about.document_id : null;
    if (receipts.includes(kind) && about.reason !== 'credit' && about.cents > 0 && document_id !== null && number !== null) {
      const data = { name, plan: subject(about), amount, invoice: documentNumber(number), text, document_id };
      return sendMail('payment-receipt', { to, data }, tx);
    }
    if (failures.includes(kind)) {
      const next_try = about.next_try_at === null ? null : moment(about.next_try_at);
      const data = { name, plan: subject(about), amount, reason: about.reason ?? titles[kind], next_try, text };
      return sendMail('payment-failed', { to, data }, tx);
    }
    const document = document_id !== null && number !== null ? { document_id } : {};
    return sendMail('billing-notice', { to, data: { name, title: titles[kind], text, ...document } }, tx);
  }
}

const subject = (about: NoticeFacts) => (what(about) === 'usage' ? 'Usage' : `${planOf(about)} plan`);

/** The facts of a notice. The number of an invoice that was issued earlier is unknown here. */
function noticeFacts(notice: Notice, { before, after, outcome, event, numbers }: NoticeInput): NoticeFacts {
  const invoice = before.account.open ?? after.account.open;
  const [document] = outcome.documents;
  const { account } = after;
  const due = nextDeadline(account);
  const isIssued = invoice !== null && (!invoice.is_draft || numbers.has(invoice.id));
  const document_id = document?.id ?? (isIssued ? invoice.id : null);
  return {
    plan: before.account.wanted ?? account.wanted ?? account.plan ?? before.account.plan,
    cents: pickCents(notice, { before, after, outcome, event }),
    reason: after.payment?.reason ?? null,
    document_id,
    number: (document_id === null ? undefined : numbers.get(document_id)) ?? null,
    period_end: runningPeriod(account)?.end ?? null,
    next_try_at: due?.name === 'retry_due' ? due.at : null,
    ends_at: endsAt(account),
    undoes_cancellation: notice === 'switched' && (before.account.status === 'cancelling' || before.account.status === 'resuming'),
    purpose: resolvePurpose(before.account.status === 'none' ? account : before.account),
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
export function resolvePurpose({ status }: Pick<AccountRow['account'], 'status'>): NoticeFacts['purpose'] {
  if (status === 'incomplete' || status === 'none') return 'first';
  if (status === 'owing') return 'usage';
  return status === 'charging' || status === 'past_due' ? 'renewal' : 'switch';
}

function pickCents(notice: Notice, { before, after, outcome, event }: Change): number {
  if (event.name === 'payment_succeeded') return event.cents;
  const [document] = outcome.documents;
  if (notice === 'switched' && document?.kind === 'credit_note') return -document.bill.sum_cents;
  return (before.account.open ?? after.account.open ?? document)?.bill.due_cents ?? 0;
}

/** Notices that require an action. */
const problems: readonly Notice[] = [
  'declined',
  'confirm',
  'not_confirmed',
  'past_due',
  'ended_unpaid',
  'usage_unpaid',
  'provider_changed',
];

const titles: Record<Notice, string> = {
  subscribed: 'Your plan is in force',
  declined: 'Your payment was declined',
  confirm: 'Your payment needs your confirmation',
  not_confirmed: 'Your payment was not confirmed',
  switched: 'Your plan was switched',
  renewed: 'Your plan was renewed',
  past_due: 'Your plan could not be renewed',
  ended: 'Your subscription has ended',
  ended_unpaid: 'Your plan has ended: it was not paid',
  usage_invoiced: 'Your usage was invoiced',
  usage_unpaid: 'Your usage is not paid',
  paid: 'Your usage is paid',
  kept_as_prepaid: 'A payment was kept for your next invoice',
  paid_back: 'A payment was refunded',
  provider_changed: 'What was paid in test mode has ended',
};

const unchanged = { first: 'your team is on the free plan', switch: 'your plan is as before', renewal: '', usage: '' };

/** A notice in the API's form. */
export const toBillingNotice = ({ id, kind, at, about }: NoticeRow): BillingNotice => ({
  id,
  kind,
  at,
  text: texts[kind](about),
  is_problem: problems.includes(kind),
});

/** Each text names the event, the amount, what comes next and when, and what to do. */
const texts: Record<Notice, (about: NoticeFacts) => string> = {
  subscribed: (of) => `Your team is on the ${planOf(of)} plan. ${charged(of)} The plan is renewed on ${day(of.period_end)}.`,
  declined: (of) =>
    `The payment of ${formatMoney(of.cents)} for the ${planOf(of)} plan was declined${why(of)} Nothing was charged, and ${unchanged[of.purpose]}. Change the payment method, then select the plan again.`,
  confirm: (of) =>
    `The payment of ${formatMoney(of.cents)} for ${what(of)} waits for your confirmation. Confirm it in Billing${of.ends_at === null ? '' : ` until ${moment(of.ends_at)}`}. ${otherwise(of)}`,
  not_confirmed: (of) =>
    `The payment of ${formatMoney(of.cents)} for the ${planOf(of)} plan was not confirmed in time. Nothing was charged, and ${unchanged[of.purpose]}. Select the plan again to pay it.`,
  switched: (of) => `Your team is on the ${planOf(of)} plan now. ${of.reason === 'credit' ? credited(of) : charged(of)}${resumed(of)}`,
  renewed: (of) => `The ${planOf(of)} plan is paid until ${day(of.period_end)}. ${charged(of)}`,
  past_due: (of) =>
    `The payment of ${formatMoney(of.cents)} for the renewal of the ${planOf(of)} plan was declined${why(of)} ${nextTry(of)} Change the payment method to pay at once. If it is not paid by ${moment(of.ends_at)}, the plan ends and your team is on the free plan.`,
  ended: () =>
    'The subscription has ended. Your team is on the free plan, and nothing was deleted. Usage up to the end is invoiced once its month is closed.',
  ended_unpaid: (of) =>
    `The renewal of the ${planOf(of)} plan was not paid within ${graceDays} days, so your team is on the free plan. The invoice was taken back${of.number === null ? '' : ` by the credit note ${documentNumber(of.number)}`}; usage in it is invoiced by itself.`,
  usage_invoiced: (of) =>
    `The subscription is over, and its usage was invoiced: ${formatMoney(of.cents)}${numbered(of)}. It is charged to your payment method.`,
  usage_unpaid: (of) =>
    `The payment of ${formatMoney(of.cents)} for usage was declined${why(of)} Change the payment method to pay it. Until it is paid, no plan can be selected.`,
  paid: (of) => `Your payment of ${formatMoney(of.cents)} for usage has arrived${numbered(of)}. You can select a plan again.`,
  kept_as_prepaid: (of) =>
    `A payment of ${formatMoney(of.cents)} arrived for an invoice that is no longer open. It will be applied to your next invoice.`,
  paid_back: (of) => `A payment of ${formatMoney(of.cents)} arrived for an invoice that is no longer open. It is paid back.`,
  provider_changed: (of) =>
    `This installation takes payments through another provider now. What was paid in test mode, without money, has ended: ${of.plan === null ? '' : `the ${planOf(of)} plan, `}credit and open invoices. Your team is on the free plan, and nothing was deleted. Add a payment method and select a plan to go on.`,
};

const planOf = ({ plan }: NoticeFacts) => (plan === null ? 'free' : plans[plan].name);
const what = (of: NoticeFacts) => (of.purpose === 'usage' ? 'usage' : `the ${planOf(of)} plan`);
const numbered = ({ number }: NoticeFacts) => (number === null ? '' : ` (${documentNumber(number)})`);
const charged = (of: NoticeFacts) => (of.cents === 0 ? 'Nothing was due.' : `You were charged ${formatMoney(of.cents)}${numbered(of)}.`);
const credited = (of: NoticeFacts) => `${formatMoney(of.cents)} will be deducted from your next invoices${numbered(of)}.`;
const resumed = (of: NoticeFacts) =>
  of.undoes_cancellation ? ` The cancellation is taken back: the plan is renewed on ${day(of.period_end)}.` : '';
const why = ({ reason }: NoticeFacts) => (reason === null ? '.' : `: ${reason.replace(/\.?$/, '.')}`);
const nextTry = ({ next_try_at }: NoticeFacts) =>
  next_try_at === null ? 'It is not tried again.' : `It is tried again on ${moment(next_try_at)}.`;
const day = (at: number | null) => (at === null ? 'an unknown day' : new Date(at).toISOString().slice(0, 10));
const moment = (at: number | null) =>
  at === null ? 'an unknown time' : `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

function otherwise({ purpose }: NoticeFacts): string {
  if (purpose === 'usage') return 'Until it is paid, no plan can be selected.';
  return purpose === 'renewal' ? 'Otherwise the plan ends.' : `Otherwise nothing is charged, and ${unchanged[purpose]}.`;
}
