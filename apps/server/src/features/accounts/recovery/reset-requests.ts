import type { Sql } from '../../../db/connect.ts';
import { newId } from '../../../ids.ts';
import type { SendMail } from '../../../mail/mails.ts';
import type { LinkStore } from '../link-store.ts';
import type { AccountStore } from '../store.ts';

export type ResetRequests = ReturnType<typeof resetRequests>;

/** Requests for a password reset link. The account is looked up when the request is processed, after the response was sent. */
export const resetRequests = (sql: Sql) => ({
  note: async (email: string) => {
    await sql`
      with noted as (
        insert into reset_requests (id, email)
        values (${newId('rst')}, ${email})
        returning id
      )
      select pg_notify('mails', id)
      from noted`;
  },

  /** Processes a request: mails a link if the address has an account. False when no request is pending. */
  async answerNext(store: AccountStore, links: LinkStore, sendMail: SendMail): Promise<boolean> {
    const [any] = await sql`
      select 1
      from reset_requests
      limit 1`;
    if (!any) return false;
    return sql.begin(async (tx) => {
      const [asked] = await tx<{ email: string }[]>`
        delete from reset_requests
        where id = (
          select id
          from reset_requests
          order by created_at
          limit 1
          for update skip locked
        )
        returning email`;
      if (!asked) return false;
      const user = await store.byEmail(asked.email, tx);
      if (!user) return true;
      const token = await links.make('reset-password', { user_id: user.id, email: user.email }, tx);
      await sendMail('reset-password', { to: user.email, data: { name: user.name, token } }, tx);
      return true;
    });
  },
});
