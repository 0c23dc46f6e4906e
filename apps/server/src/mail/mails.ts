import type { Sql, Tx } from '../db/connect.ts';

/** Time and place of a request, for the text of a mail. */
export interface Origin {
  at: Date;
  ip: string;
  user_agent: string;
}

/** Every mail, and the data of its text. A `token` becomes a link below the public address; it is stored sealed, and never logged. */
export interface Mails {
  'verify-email': { name: string; token: string };
  /** To an existing account's address that is used for a sign-up, so that the response need not reveal the account. */
  'account-exists': { name: string };
  'reset-password': { name: string; token: string };
  'password-changed': { name: string } & Origin;
  /** To the new address, which takes effect once the link is opened. */
  'confirm-new-email': { name: string; token: string };
  /** To the previous address. No account has it any more, so the sender of the mail sets `is_verified`. */
  'email-changed': { name: string; new_email: string; is_verified: boolean } & Origin;
  'new-sign-in': { name: string; how: string } & Origin;
  'second-factor-changed': { name: string; enabled: boolean } & Origin;
  'identity-linked': { name: string; provider: string } & Origin;
  'key-created': { name: string; key_name: string; key_prefix: string } & Origin;
  /** `amount` is a text for people, with its currency; `text` says what was paid for and what comes next. `document_id` is the invoice's. */
  'payment-receipt': { name: string; plan: string; amount: string; invoice: string; text: string; document_id: string };
  /** `text` says what follows, and what to do. `next_try` is null after the last try. */
  'payment-failed': { name: string; plan: string; amount: string; reason: string; next_try: string | null; text: string };
  /** Any other event of a subscription; with the invoice or credit note of this id. */
  'billing-notice': { name: string; title: string; text: string; document_id?: string };
  /** The mail links to the page of the deployment. */
  alert: { name: string; title: string; detail: string; deployment_id?: string };
}

/** Queues a mail, within the given transaction if there is one. The response to a request never waits for the delivery. */
export type SendMail = <T extends keyof Mails>(template: T, mail: { to: string; data: Mails[T] }, within?: Tx | Sql) => Promise<void>;
