import type { Sql, Tx } from '../db/connect.ts';

/** Where something was asked from, as the mail tells it. */
export interface Origin {
  at: Date;
  ip: string;
  user_agent: string;
}

/** Every mail that is sent, and what its text needs. A `token` becomes a link below the public address; it is stored sealed, and never logged. */
export interface Mails {
  'verify-email': { name: string; token: string };
  /** To whoever signs up with an address that has an account, so that the answer need not tell it. */
  'account-exists': { name: string };
  'reset-password': { name: string; token: string };
  'password-changed': { name: string } & Origin;
  /** To the new address; it counts once its link was opened. */
  'confirm-new-email': { name: string; token: string };
  /** To the address before. */
  'email-changed': { name: string; new_email: string } & Origin;
  'new-sign-in': { name: string; how: string } & Origin;
  'second-factor-changed': { name: string; enabled: boolean } & Origin;
  'identity-linked': { name: string; provider: string } & Origin;
  'key-created': { name: string; key_name: string; key_prefix: string } & Origin;
  /** `amount` as it is to be read, with its currency. */
  'payment-receipt': { name: string; plan: string; amount: string; invoice: string };
  /** `next_try` is null after the last one. */
  'payment-failed': { name: string; plan: string; amount: string; reason: string; next_try: string | null };
  /** `deployment_id`: whose page the mail leads to. */
  alert: { name: string; title: string; detail: string; deployment_id?: string };
}

/** Queues a mail, with the given transaction if there is one; the answer to a request never waits for its delivery. */
export type SendMail = <T extends keyof Mails>(template: T, to: string, data: Mails[T], within?: Tx | Sql) => Promise<void>;
