import type { User } from '@paddock/contract';
import type { Sql } from '../../db/connect.ts';
import type { SendMail } from '../../mail/mails.ts';
import type { LinkStore } from './link-store.ts';
import type { AccountStore, NewUser } from './store.ts';

interface Deps {
  sql: Sql;
  store: AccountStore;
  links: LinkStore;
  sendMail: SendMail;
}

/**
 * Creates an account, and mails its verification link. When the address has an account, nothing is created and its owner is notified
 * by mail. The response is the same, so that it reveals no accounts.
 */
export const signUp =
  ({ sql, store, links, sendMail }: Deps) =>
  async (user: NewUser & { password_hash: string }): Promise<User> => {
    const { id, email, name } = user;
    await sql.begin(async (tx) => {
      if (await store.create(user, tx)) {
        const token = await links.make('verify-email', { user_id: id, email }, tx);
        return sendMail('verify-email', { to: email, data: { name, token } }, tx);
      }
      const owner = await store.byEmail(email, tx);
      // An account with the same id was created by an earlier attempt of this request.
      if (owner && owner.id !== id) await sendMail('account-exists', { to: owner.email, data: { name: owner.name } }, tx);
    });
    return { id, email, name, plan: 'free', email_verified: false };
  };
