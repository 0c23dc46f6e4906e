import type { Sql } from '../db/connect.ts';
import type { Mails } from './mails.ts';

export interface ClaimedMail {
  id: string;
  to_address: string;
  template: keyof Mails;
  sealed: Buffer;
  key_id: string;
  /** This try is the how manyth. */
  attempts: number;
  created_at: string;
  age_s: number;
  last_error: string | null;
}

export type MailStore = ReturnType<typeof mailStore>;

/** All SQL of delivery. Times are the database's. */
export const mailStore = (sql: Sql) => ({
  /** Takes the mail that is due for longest, if there is one. For `lease_s` no other server takes it; `except` are not taken at all. */
  async claim(lease_s: number, except: string[]): Promise<ClaimedMail | undefined> {
    const [row] = await sql<ClaimedMail[]>`
      update mails
      set attempts = attempts + 1, next_try_at = now() + ${`${lease_s} seconds`}::interval
      where id = (
        select id
        from mails
        where sent_at is null
          and given_up_at is null
          and next_try_at <= now()
          and id <> all(${except})
        order by next_try_at
        limit 1
        for update skip locked
      )
      returning id, to_address, template, sealed, key_id, attempts, created_at, last_error,
        extract(epoch from now() - created_at)::float8 as age_s`;
    return row;
  },

  /** Whoever sent it, and however late this is said: it was sent. */
  sent: (id: string) => sql`
    update mails
    set sent_at = now(), sealed = null, key_id = null, last_error = null, given_up_at = null
    where id = ${id}
      and sent_at is null`,

  retry: ({ id, attempts }: ClaimedMail, in_s: number, error: string) => sql`
    update mails
    set next_try_at = now() + ${`${in_s} seconds`}::interval, last_error = ${error}
    where id = ${id}
      and attempts = ${attempts}
      and sent_at is null`,

  giveUp: ({ id, attempts }: ClaimedMail, error: string) => sql`
    update mails
    set given_up_at = now(), sealed = null, key_id = null, last_error = ${error}
    where id = ${id}
      and attempts = ${attempts}
      and sent_at is null`,

  /** Sent ones go after a week, those that were given up after a month. */
  sweep: () => sql`
    delete from mails
    where sent_at < now() - interval '7 days' or given_up_at < now() - interval '30 days'`,
});
