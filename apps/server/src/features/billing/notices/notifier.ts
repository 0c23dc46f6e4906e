import { documentNumber, formatMoney, type Notice } from '@paddock/billing';
import type { Tx } from '../../../db/connect.ts';
import type { SendMail } from '../../../mail/mails.ts';
import type { AccountStore } from '../account/store.ts';
import { type NoticeFacts, type NoticeInput, noticeFacts } from './notice-facts.ts';
import type { NoticeStore, Person } from './store.ts';
import { moment, planOf, texts, titles, what } from './texts.ts';

export type NotifyOutcome = (tx: Tx, told: NoticeInput) => Promise<void>;
interface Deps {
  notices: NoticeStore;
  store: Pick<AccountStore, 'numberOf'>;
  sendMail: SendMail;
}

const receipts: readonly Notice[] = ['subscribed', 'switched', 'renewed', 'paid'];
const failures: readonly Notice[] = ['declined', 'not_confirmed', 'past_due', 'usage_unpaid'];

/** Writes the notices of an outcome, and queues the mails, in the transaction of the outcome. */
export function createNotifier({ notices, store, sendMail }: Deps): NotifyOutcome {
  return async (tx, told) => {
    const { before, after, outcome, event } = told;
    const { team_id } = after.account;
    if (before.account.open !== null && after.account.open === null) await notices.solve(tx, team_id);
    for (const kind of outcome.notices) {
      const about = await resolveFacts(tx, kind, told);
      await notices.add(tx, team_id, { kind, at: event.at, about });
      for (const person of await notices.people(tx, team_id)) await mail(tx, person, { kind, about });
    }
  };

  async function resolveFacts(tx: Tx, kind: Notice, told: NoticeInput): Promise<NoticeFacts> {
    const about = noticeFacts(kind, told);
    const isCredit = kind === 'switched' && told.outcome.documents[0]?.kind === 'credit_note';
    const number = about.document_id === null ? null : (about.number ?? (await store.numberOf(tx, about.document_id)) ?? null);
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
